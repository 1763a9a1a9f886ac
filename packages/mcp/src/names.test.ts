import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numRuns } from '../test/peer.ts'
import { exposedName } from './names.ts'

const safe = /^[A-Za-z0-9_-]{1,64}$/
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '_', '-', '.', '/', '\ud800', '检'), maxLength: 12 }),
  fc.stringMatching(/^[a-z_]{0,8}_[0-9a-f]{10}$/),
)
const server = fc.option(text, { nil: undefined })

describe('a name', () => {
  test('is one that every provider takes, and is the same every time', () => {
    fc.assert(
      fc.property(server, text, (of, tool) => {
        const name = exposedName(of, tool)
        expect(name).toMatch(safe)
        expect(exposedName(of, tool)).toBe(name)
      }),
      { numRuns },
    )
  })

  test('is the name of one tool of one server', () => {
    fc.assert(
      fc.property(text, text, text, text, (server, tool, otherServer, otherTool) => {
        fc.pre(server !== otherServer || tool !== otherTool)
        expect(exposedName(server, tool)).not.toBe(exposedName(otherServer, otherTool))
      }),
      { numRuns },
    )
  })

  test('stays as it is where it is safe', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9-]{1,20}$/), fc.stringMatching(/^[A-Za-z0-9-]{1,40}$/), (server, tool) => {
        expect(exposedName(server, tool)).toBe(`${server}__${tool}`)
        expect(exposedName(undefined, tool)).toBe(tool)
      }),
      { numRuns },
    )
  })

  test.each<[[string, string], [string, string]]>([
    [
      ['a', 'b__c'],
      ['a__b', 'c'],
    ],
    [
      ['a', '_b'],
      ['a_', 'b'],
    ],
    [
      ['s', '\ud800'],
      ['s', '\ud801'],
    ],
    [
      ['s', 'a.b'],
      ['s', exposedName('s', 'a.b').slice('s__'.length)],
    ],
  ])('%j is not %j', (one, other) => {
    expect(exposedName(...one)).not.toBe(exposedName(...other))
  })

  test('is pinned: a change here would change the names that people have written into rules', () => {
    expect(exposedName('fs', 'read_file')).toBe('fs__read_file')
    expect(exposedName('corp.db', 'a/b')).toBe('corp_db__a_b_decc33196b')
    expect(exposedName('fs', 'x'.repeat(100))).toBe('fs__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_246925e092')
  })

  test('N1: five alike names of one server, one of another, and two long ones are eight', () => {
    const long = 'copy_every_record_of_every_region_into_the_archive_of_last_year_'
    const names = [
      ...['a.b', 'a/b', 'a b', 'a_b', '检索', `${long}AAAA`, `${long}BBBB`].map((tool) => exposedName('corp.db', tool)),
      exposedName('other', 'a.b'),
    ]
    expect(new Set(names).size).toBe(8)
    for (const name of names) expect(name).toMatch(safe)
  })
})
