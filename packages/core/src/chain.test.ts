import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Chain, type Linked } from './chain.ts'

class Member implements Linked<Member> {
  before: Member | undefined
  after: Member | undefined
}

test('a chain is a set in order of arrival, the last first, and what is out keeps nobody alive', () => {
  const moves = fc.array(fc.record({ which: fc.nat(7), isIn: fc.boolean() }), { maxLength: 60 })
  fc.assert(
    fc.property(moves, (made) => {
      const members = Array.from({ length: 8 }, () => new Member())
      const chain = new Chain<Member>()
      let expected: Member[] = []
      for (const { which, isIn } of made) {
        const member = members[which] as Member
        if (isIn && !expected.includes(member)) {
          chain.add(member)
          expected = [member, ...expected]
        } else if (!isIn) {
          chain.remove(member)
          expected = expected.filter((other) => other !== member)
        }
        expect(chain.all().every((member, at) => member === expected[at])).toBe(true)
        expect(chain.all()).toHaveLength(expected.length)
        for (const out of members.filter((each) => !expected.includes(each))) {
          expect(out.before).toBe(undefined)
          expect(out.after).toBe(undefined)
        }
      }
    }),
    { numRuns: 1_000 },
  )
})
