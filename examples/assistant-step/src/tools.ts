import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyTool, defineTool } from '@pawl/core'
import Type from 'typebox'

/** Pure, so it may run beside others. */
const wordCount = defineTool({
  name: 'word_count',
  description: 'Counts the words and characters of a text.',
  parameters: Type.Object({ text: Type.String() }),
  output: {
    schema: Type.Object({ words: Type.Integer(), characters: Type.Integer() }),
    render: (_args, { words, characters }) => [{ type: 'text', text: `${words} words, ${characters} characters` }],
  },
  isConcurrencySafe: () => true,
  examples: [{ arguments: { text: 'Ahoy there' }, value: { words: 2, characters: 10 } }],
  execute: ({ text }) => ({ words: text.match(/\S+/g)?.length ?? 0, characters: text.length }),
})

/** It changes something and does not say that it may overlap, so it runs alone. */
function remember(notes: string[]): AnyTool {
  return defineTool({
    name: 'remember',
    description: 'Keeps a note for the rest of the conversation.',
    parameters: { note: { type: 'string', required: true, description: 'One sentence.' } },
    output: {
      schema: { type: 'integer' },
      render: (_args, count) => [{ type: 'text', text: `Kept as note ${count}.` }],
    },
    execute({ note }, { deferContext }) {
      notes.push(note)
      deferContext(`Your notes so far: ${notes.join(' ')}`)
      return notes.length
    },
  })
}

/** How not to do it: it never looks at `signal`, so its deadline passes unheard. */
const slowReport = defineTool({
  name: 'slow_report',
  description: 'Writes a report about a topic.',
  parameters: { topic: { type: 'string', required: true } },
  output: { schema: { type: 'string' } },
  timeoutMs: 50,
  isConcurrencySafe: () => true,
  // `ref: false` is for the example alone: the process need not wait for a report that nobody waits for.
  execute: ({ topic }) => sleep(60_000, `All about ${topic}.`, { ref: false }),
})

/** A throw is a failure of this call and of no other. */
const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a mail.',
  parameters: { to: { type: 'string', required: true }, subject: { type: 'string', required: true } },
  output: { schema: { type: 'string' } },
  execute: ({ to }) => {
    throw new Error(`the mail server hung up before it took the mail to ${to}`)
  },
})

/** More than a model should be shown at once. What it does not see is not lost: see `spill` in `demo.ts`. */
const harbourLog = defineTool({
  name: 'harbour_log',
  description: 'The log of the harbour, a line for each watch.',
  parameters: {},
  output: { schema: { type: 'string' } },
  isConcurrencySafe: () => true,
  execute: () => Array.from({ length: 2_000 }, (_, at) => `watch ${at + 1}: ${eventOf(at + 1)}\n`).join(''),
})

function eventOf(watch: number): string {
  return watch === 1_234 ? 'the Petrel ran aground' : 'every boat is where it was'
}

/** The example's own tools, with an empty notebook. */
export function ownTools(): AnyTool[] {
  return [wordCount, remember([]), slowReport, sendMail, harbourLog]
}
