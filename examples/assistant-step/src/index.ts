import { main } from './main.ts'

process.exitCode = await main(process.argv.slice(2), {
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  out: console.log,
  err: console.error,
})
