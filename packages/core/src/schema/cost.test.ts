import { describe, expect, test } from 'vitest'
import { compile, describeViolations, type JsonSchema } from './index.ts'
import { knownFormats } from './keywords.ts'

const accepts = (schema: JsonSchema, value: unknown): boolean => compile(schema).check(value) === undefined
const reasons = (schema: JsonSchema, value: unknown): string => {
  const violations = compile(schema).check(value)
  return violations === undefined ? '' : describeViolations(violations)
}

describe('VAL-8: nothing stalls', () => {
  const spent = (work: () => unknown): number => {
    const start = performance.now()
    work()
    return performance.now() - start
  }
  const least = (work: () => unknown): number => Math.min(...Array.from({ length: 5 }, () => spent(work)))

  test('a pattern with nested repetition costs linear time', () => {
    const validator = compile({ pattern: '^(a+)+$' })
    validator.check('a')
    const ratio =
      least(() => validator.check(`${'a'.repeat(20_000)}!`)) / least(() => validator.check(`${'a'.repeat(2_000)}!`))
    expect(ratio).toBeLessThan(60) // 10 times the text; a quadratic pattern would take 100 times, this one by backtracking for ever
  })

  test('so do unique items, whatever the order of their members', () => {
    const rows = (count: number): unknown[] => Array.from({ length: count }, (_, id) => ({ id, name: `n${id}` }))
    const validator = compile({ uniqueItems: true })
    expect(validator.check([...rows(10), { name: 'n3', id: 3 }])).toBeDefined()
    expect(validator.check([1, '1', true, 'true', null, [], {}, [[]], ['a'], { a: 1 }])).toBeUndefined()
    const ratio = least(() => validator.check(rows(40_000))) / least(() => validator.check(rows(4_000)))
    expect(ratio).toBeLessThan(60)
  })

  const ids = (count: number, from = 0): unknown[] =>
    Array.from({ length: count }, (_, at) => ({ id: from + at, tags: [] }))
  const ratio = (many: () => unknown, few: () => unknown): number =>
    Math.min(...Array.from({ length: 3 }, () => least(many) / least(few)))

  test('so do values that are looked up among many, of whatever kind', () => {
    for (const kind of [ids, (count: number) => ids(count).map((id) => JSON.stringify(id))]) {
      const among = (count: number) => compile({ items: { enum: kind(count) } })
      const [few, many] = [among(100), among(10_000)]
      expect([few.check(kind(100)), many.check(kind(10_000))]).toEqual([undefined, undefined])
      expect(many.check([...kind(10_001)])?.list).toHaveLength(1)
      const last = (count: number): unknown[] => kind(count).slice(-100)
      const [first, others] = [last(100), last(10_000)]
      expect(
        ratio(
          () => many.check(others),
          () => few.check(first),
        ),
      ).toBeLessThan(10) // 100 times the allowed values, which must not matter
    }
  })

  test('so do comparisons at every level of a deep value, and comparisons that references repeat', () => {
    const deep = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => [inner], ids(2_000))
    const recursive = { anyOf: [{ enum: [...ids(10), {}] }, { uniqueItems: true, items: { $ref: '#' } }] }
    const validator = compile(recursive)
    const twice = (to: string) => ({ allOf: [{ $ref: to }, { $ref: to }] })
    const tree = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`l${at}`, twice(`#/$defs/l${at + 1}`)]))
    const repeated = compile({ $ref: '#/$defs/l0', $defs: { ...tree, l12: { uniqueItems: true } } })
    const once = compile({ uniqueItems: true })
    const [flat, steep] = [deep(5), deep(80)]
    expect(validator.check(steep)).toBeUndefined()
    expect(
      ratio(
        () => validator.check(steep),
        () => validator.check(flat),
      ),
    ).toBeLessThan(4)
    const rows = ids(5_000)
    expect(repeated.check(rows)).toBeUndefined()
    expect(
      ratio(
        () => repeated.check(rows),
        () => once.check(rows),
      ),
    ).toBeLessThan(4)
  })

  test('a tree of references that would be entered 2³⁰ times is refused instead', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `l${level}`,
        { allOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
      ]),
    )
    expect(reasons({ $ref: '#/$defs/l0', $defs: { ...$defs, l30: { type: 'object' } } }, {})).toContain('bounded time')
    expect(reasons({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, {})).toContain(
      'can not',
    )
  })

  test('formats do not backtrack either: twice the text costs about twice the time', { timeout: 60_000 }, () => {
    const units = [
      'a',
      '1',
      'a.',
      '-',
      '@',
      '%',
      '{',
      ':',
      '/',
      'a@',
      '=',
      '(',
      'é.',
      'https://a:b@',
      '::',
      'P1D',
      '?',
      '#',
    ]
    const ways = [
      ['', '\n!'],
      ['http://', ''],
    ] as const
    for (const format of knownFormats) {
      const validator = compile({ type: 'string', format })
      for (const [unit, [start, end]] of units.flatMap((unit) => ways.map((way) => [unit, way] as const))) {
        const text = (size: number): string => start + unit.repeat(size / unit.length) + end
        const cost = (size: number): number => least(() => validator.check(text(size)))
        const isLinear = (): boolean => {
          const many = cost(40_000)
          return many < 2 || many / cost(20_000) < 3 // what is quadratic takes seconds; below 2 ms there is only noise
        }
        expect.soft(isLinear() || isLinear() || isLinear(), `${format} ${text(20)}`).toBe(true)
      }
    }
  })

  test('a URL is what can be parsed as one, with a scheme that fetches', () => {
    const urls = [
      'http://a.test',
      'https://user:pw@a.test:8080/p?q#f',
      'ftp://a.test/x',
      'HTTP://localhost',
      'http://é.test/',
    ]
    for (const url of urls) expect(accepts({ format: 'url' }, url), url).toBe(true)
    const others = [
      '',
      'a.test',
      'http://',
      'mailto:a@a.test',
      'http://a b',
      ' http://a.test',
      'http://a.test\n',
      'http://[:',
      'x http://a',
    ]
    for (const other of others) expect(accepts({ format: 'url' }, other), other).toBe(false)
  })
})
