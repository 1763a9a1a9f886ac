import { createToolRuntime, type Explanation, type ToolResult, type ToolRuntime } from '@pawl/core'
import { importMcpTools } from '@pawl/mcp'
import { spill } from '@pawl/plugin-spill'
import { timeout } from '@pawl/plugin-timeout'
import { memorySpillStore, readSpill } from '@pawl/spill'
import type { Message } from './messages.ts'
import { withLocator } from './next-call.ts'
import { protectFiles, yesMan } from './policy.ts'
import { withFileServer } from './server.ts'
import { type Span, spanOf, type Tick, timeline } from './timeline.ts'
import { ownTools } from './tools.ts'

/** What came of one assistant message. */
export interface StepRun {
  readonly message: Message
  readonly results: readonly ToolResult[]
  /** When each call ran, in the order of the calls. */
  readonly spans: readonly (Span | undefined)[]
  /** The messages to send back to the model. */
  readonly reply: readonly object[]
  /** Whether the reply answers every call exactly once, in order. */
  readonly ok: boolean
}

/** What came of all of them. */
export interface DemoRun {
  /** The composed pipeline for people, and the same for machines. */
  readonly pipeline: string
  readonly explanation: Explanation
  readonly steps: readonly StepRun[]
  readonly ok: boolean
}

/** Runs the tool calls of each message, one message after the other, in one runtime. */
export async function runDemo(messages: readonly Message[]): Promise<DemoRun> {
  return withFileServer(async (client) => {
    const ticks: Tick[] = []
    const fileTools = await importMcpTools(client, { server: 'fs', trustAnnotations: true })
    const store = memorySpillStore()
    const runtime = createToolRuntime({
      tools: [...fileTools, ...ownTools(), readSpill(store)],
      plugins: [
        yesMan(),
        spill({ store, tools: { harbour_log: { maxInlineBytes: 400, preview: 'tail' } } }),
        timeline(ticks),
        timeout({ defaultMs: 5_000, graceMs: 20 }),
        protectFiles(),
      ],
    })
    try {
      const steps: StepRun[] = []
      for (const message of messages) {
        const shown = steps.flatMap(({ results }) => results)
        steps.push(await runStep(runtime, withLocator(message, shown), ticks))
      }
      const explanation = runtime.explain({ format: 'json' })
      return { pipeline: runtime.explain(), explanation, steps, ok: steps.every(({ ok }) => ok) }
    } finally {
      await runtime.close()
      await store.close()
    }
  })
}

async function runStep(runtime: ToolRuntime, message: Message, ticks: readonly Tick[]): Promise<StepRun> {
  const { calls, finishReason, provider } = message
  const results = await runtime.dispatch(calls, { finishReason, session: 'harbour' })
  const ids = new Set(results.map(({ executionId }) => executionId))
  const reply = provider.reply(results)
  const ownTicks = ticks.filter(({ executionId }) => ids.has(executionId))
  return {
    message,
    results,
    spans: results.map(({ executionId }) => spanOf(executionId, ownTicks)),
    reply,
    ok: isAnswered(calls, provider.answered(reply)),
  }
}

/** What counts is what goes back: each call of the message has its one answer there, in order. */
function isAnswered(calls: Message['calls'], answered: readonly string[]): boolean {
  return answered.length === calls.length && calls.every(({ id }, index) => answered[index] === id)
}
