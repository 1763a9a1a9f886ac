import { memorySpillStore } from '@pawl/spill'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { property } from '../test/support/property.ts'
import { type SpillOptions, spill } from './index.ts'

const store = memorySpillStore()
const build = (options: object): unknown => spill({ store, ...options } as SpillOptions)

test.each<[object, string]>([
  [{ store: {} }, '`store` has to be a store with `saveText`, or undefined for none. It is an object.'],
  [{ store: null }, '`store` has to be a store with `saveText`, or undefined for none. It is null.'],
  [{ maxInlineBytes: 255 }, '`maxInlineBytes` has to be a whole number of bytes from 256 on. It is 255.'],
  [{ maxInlineBytes: 1_000.5 }, '`maxInlineBytes` has to be a whole number of bytes from 256 on. It is 1000.5.'],
  [{ maxInlineBytes: Infinity }, '`maxInlineBytes` has to be a whole number of bytes from 256 on. It is Infinity.'],
  [{ maxBlobBytes: -1 }, '`maxBlobBytes` has to be a whole number of bytes from 0 on. It is -1.'],
  [{ maxBlobBytes: '5' }, '`maxBlobBytes` has to be a whole number of bytes from 0 on. It is "5".'],
  [{ preview: 'middle' }, "`preview` has to be 'head', 'tail' or 'headTail'. It is \"middle\"."],
  [{ tools: [] }, '`tools` has to be an object of bounds by tool name. It is an object.'],
  [
    { tools: { a: 5 } },
    '`tools["a"]` has to be bounds such as { preview: "tail" }, or false to leave it alone. It is 5.',
  ],
  [{ tools: { a: { preview: '' } } }, "`tools[\"a\"].preview` has to be 'head', 'tail' or 'headTail'. It is \"\"."],
  [
    { tools: { a: { maxInlineBytes: 0 } } },
    '`tools["a"].maxInlineBytes` has to be a whole number of bytes from 256 on.',
  ],
  [{ tools: { a: { store } } }, 'unknown option `tools["a"].store`. Known are: maxInlineBytes, maxBlobBytes, preview.'],
  [{ saveTimeoutMs: 0 }, '`saveTimeoutMs` has to be a number of ms above 0 and up to 2147483647. It is 0.'],
  [{ saveTimeoutMs: 2 ** 31 }, '`saveTimeoutMs` has to be a number of ms above 0 and up to 2147483647.'],
  [{ ifUnsaved: 'drop' }, "`ifUnsaved` has to be 'whole' or 'cut'. It is \"drop\"."],
  [
    { maxBytes: 5 },
    'unknown option `maxBytes`. Known are: store, maxInlineBytes, maxBlobBytes, preview, tools, saveTimeoutMs, ifUnsaved.',
  ],
])('%j is refused with what it has to be', (options, words) => {
  expect(() => build(options)).toThrow(TypeError)
  expect(() => build(options)).toThrow(`[pawl] spill: ${words}`)
})

test('a forgotten store is a mistake, one that is said not to be there is none', () => {
  for (const options of [undefined, null, 5, [], {}, { maxInlineBytes: 1_000 }])
    expect(() => spill(options as never)).toThrow(
      /\[pawl\] spill: (what it takes has to be|`store` (has to be|is missing)) ?/,
    )
  spill({ store: undefined })
})

property(
  'bounds are accepted exactly if they are whole numbers in range',
  fc.oneof(fc.integer({ min: -10, max: 1_000 }), fc.double(), fc.anything()),
  async (size, witness) => {
    const isSize = (least: number): boolean =>
      size === undefined || (Number.isSafeInteger(size) && (size as number) >= least)
    const accepts = (options: object): boolean => {
      try {
        build(options)
        return true
      } catch {
        return false
      }
    }
    if (isSize(256)) witness()
    for (const [member, least] of [
      ['maxInlineBytes', 256],
      ['maxBlobBytes', 0],
    ] as const) {
      expect(accepts({ [member]: size })).toBe(isSize(least))
      expect(accepts({ tools: { a: { [member]: size } } })).toBe(isSize(least))
    }
  },
)
