import type { DemoRun, StepRun } from './demo.ts'

/** The run as one JSON document, for machines. */
export function asJson({ explanation, steps, ok }: DemoRun): string {
  return JSON.stringify({ explain: explanation, messages: steps.map(stepJson), ok }, null, 2)
}

function stepJson({ message, results, spans, reply, ok }: StepRun): object {
  const { file, provider, finishReason, calls } = message
  return {
    file,
    provider: provider.name,
    finishReason,
    calls,
    results,
    spans: spans.map((span) => span ?? null),
    reply,
    ok,
  }
}
