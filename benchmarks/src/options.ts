import { parseArgs } from 'node:util'

export interface BenchOptions {
  /** Only contenders whose id holds this, and F1 and F4, over which the others are told. */
  readonly only: string | undefined
  readonly rounds: number
  readonly generations: number
  readonly isQuick: boolean
  readonly withPeers: boolean
  readonly asJson: boolean
  readonly write: boolean
  readonly help: boolean
}

export const help = `Measures pawl beside hand-written floors and its peers.

  npm run bench -- [options]

  --only <text>      only contenders whose id holds the text (F1 and F4 always run)
  --rounds <n>       rounds of each workload in one generation; default 15
  --generations <n>  how often all processes are started anew; default 3
  --quick            a smoke run: one generation of three short rounds, numbers that say little
  --no-peers         only pawl and the floors; nothing is installed
  --json             the findings as JSON
  --write            writes RESULTS.md
  --help             this text

Progress goes to stderr, the report to stdout. The exit code is 0 unless pawl or a floor could not be measured.`

/** @throws Error naming the option and what there is */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--'),
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      generations: { type: 'string' },
      quick: { type: 'boolean', default: false },
      'no-peers': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { quick: isQuick } = values
  return {
    only: values.only,
    rounds: count('--rounds', values.rounds, isQuick ? 3 : 15),
    generations: count('--generations', values.generations, isQuick ? 1 : 3),
    isQuick,
    withPeers: !values['no-peers'],
    asJson: values.json,
    write: values.write,
    help: values.help,
  }
}

function count(option: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1) return value
  throw new Error(`${option} has to be a whole number from 1 on; it is "${text}".`)
}
