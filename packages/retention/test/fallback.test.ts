import * as fc from 'fast-check'
import { expect, vi } from 'vitest'
import { chunksOf, inputs, options, splits } from './support/arbitraries.ts'
import { property } from './support/property.ts'
import { reference } from './support/reference.ts'

// A content security policy may forbid WebAssembly: everything has to be the same, if slower.
vi.stubGlobal('WebAssembly', undefined)
const { TextRetainer } = await import('../src/index.ts')

property(
  'RET-1 RET-2 without WebAssembly all is the same',
  fc.record({ input: inputs, shares: splits, options }),
  ({ input, shares, options }, witness) => {
    const retainer = new TextRetainer(options)
    for (const chunk of chunksOf(input, shares)) retainer.push(chunk)
    const result = retainer.finish()
    expect(result).toEqual(reference(input, options))
    if (result.truncated && input.length > 64) witness()
  },
)
