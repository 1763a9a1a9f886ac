import { expect, test } from 'vitest'
import { retain } from '../support/retain.ts'

const everything = { head: { bytes: 1_000 } }

test.each([
  ['ok \ud83d', 'ok \ufffd'],
  ['\ude00 x', '\ufffd x'],
  ['a\ud83d\ud83d\ude00b', 'a\ufffd\ud83d\ude00b'],
  ['good \ud83d\ude00', 'good \ud83d\ude00'],
])('T1: %j is kept as whole characters, however it is chunked', (output, text) => {
  const all = { bytes: Buffer.byteLength(text), characters: [...text].length, lines: 1 }
  const whole = { truncated: false, text, seen: all, kept: all }
  expect(retain(everything, output)).toMatchObject(whole)
  expect(retain(everything, ...output.split(''))).toMatchObject(whole)
})

test('T3: control characters, line ends and byte-order marks are kept as they came', () => {
  for (const text of [
    '\u001b[32mPASS\u001b[0m\n 10%\r 50%\r100%\nbell\u0007 nul\u0000end\r\n',
    '\ufeffimport os\r\nx\ufeffy\r\n',
  ]) {
    expect(retain(everything, text)).toMatchObject({ truncated: false, text })
    expect(retain(everything, Buffer.from(text))).toMatchObject({ truncated: false, text })
  }
})

test('T4: bytes are decoded over the borders of chunks; what the end cuts off is one U+FFFD; the raw bytes are counted', () => {
  const chunks = ['5ac3', 'bce286', '92f09fa7', 'aa', 'e4bd'].map((hex) => Buffer.from(hex, 'hex'))
  expect(retain(everything, ...chunks)).toMatchObject({ truncated: false, text: 'Zü→🧪\ufffd', seen: { bytes: 12 } })
  expect(retain({ head: { bytes: 5 } }, ...chunks)).toMatchObject({
    truncated: true,
    head: 'Zü',
    seen: { bytes: 12 },
    kept: { bytes: 3 },
    omitted: { bytes: 9 },
  })
})
