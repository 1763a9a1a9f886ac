import { expect, test } from 'vitest'
import { makeContender, own } from '../src/catalogue.ts'
import { type Contender, operationOf, prove, workloads } from '../src/contender.ts'

test.each(Object.keys(own))('%s does the work that it is measured at', async (id) => {
  const contender = await makeContender(id)
  await prove(contender)
  expect(workloads.some((workload) => operationOf(contender, workload) !== undefined)).toBe(true)
})

test('who does not run the bodies, or gives another answer, is found out', async () => {
  const idle: Contender = { id: 'idle', label: '', call: async () => '{"sum":5}' }
  await expect(prove(idle)).rejects.toThrow('idle: one call, bodies run gave 0 instead of 1')
  const wrong: Contender = { id: 'wrong', label: '', call: async () => '{"sum":6}' }
  await expect(prove(wrong)).rejects.toThrow('wrong: one call gave {"sum":6} instead of {"sum":5}')
})

test('an unknown contender is named', async () => {
  await expect(makeContender('F9')).rejects.toThrow('There is no contender "F9".')
})
