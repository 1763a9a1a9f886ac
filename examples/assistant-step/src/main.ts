import { parseArgs } from 'node:util'
import { runDemo } from './demo.ts'
import { asJson } from './json.ts'
import { type Message, readMessage, shipped } from './messages.ts'
import { report } from './report.ts'
import { paint } from './terminal.ts'

const help = `Runs the tool calls of assistant messages through a pawl pipeline.

  node dist/index.js [--json] [message.json …]

  message.json   a response of OpenAI Chat Completions or Anthropic Messages; default: the example's own
  --json         one JSON document instead of the report
  --help         this text

Exit code 0 if the reply answers every call once, in order; 1 if not; 2 if an option or a file is wrong.`

/** Where the words go. */
export interface Terminal {
  readonly colour: boolean
  out(text: string): void
  err(text: string): void
}

type Wish =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly json: boolean; readonly messages: readonly Message[] }

/** The whole program; answers its exit code. */
export async function main(args: readonly string[], { colour, out, err }: Terminal): Promise<number> {
  let wish: Wish
  try {
    wish = await readArguments(args)
  } catch (error) {
    err(`${(error as Error).message}\nSee --help.`)
    return 2
  }
  if (wish.kind === 'help') {
    out(help)
    return 0
  }
  const run = await runDemo(wish.messages)
  out(wish.json ? asJson(run) : report(run, paint(colour)))
  return run.ok ? 0 : 1
}

/** @throws Error that says which option or file is wrong */
async function readArguments(args: readonly string[]): Promise<Wish> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  if (values.help) return { kind: 'help' }
  const files = positionals.length > 0 ? positionals : shipped
  return { kind: 'run', json: values.json, messages: await Promise.all(files.map(readMessage)) }
}
