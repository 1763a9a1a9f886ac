import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import wabt from 'wabt'
import { countModule } from './count-module.ts'

test('the module is what count.wat says; after a change to that file, what is printed here is the new module', async () => {
  const { parseWat } = await wabt()
  const source = readFileSync(new URL('./count.wat', import.meta.url), 'utf8')
  const { buffer } = parseWat('count.wat', source, { simd: true }).toBinary({})
  expect(Buffer.from(buffer).toString('base64')).toBe(countModule)
})
