import type { Call } from './call.ts'
import { type Content, checkContent, renderJson, text } from './content.ts'
import type { Settled } from './outcome.ts'

/** Renders an outcome for the model, once for each call. A renderer that fails does not undo what the tool did (VAL-5). */
export function projectContent(call: Call, outcome: Settled): readonly Content[] {
  call.enter('projectContent')
  const content = outcome.isError ? failureContent(outcome) : rendered(call, outcome)
  call.leave('projectContent')
  return content
}

/** The rendering that needs nobody: a failure's code and message, strings as they are, other values as compact JSON. */
export function defaultContent(outcome: Settled): readonly Content[] {
  return outcome.isError ? failureContent(outcome) : renderJson(outcome.value)
}

function failureContent({ error }: Extract<Settled, { isError: true }>): readonly Content[] {
  return text(`${error.code}: ${error.message}`)
}

function rendered(call: Call, { value }: Extract<Settled, { isError: false }>): readonly Content[] {
  const render = call.tool?.render
  if (render === undefined) return renderJson(value)
  try {
    const content: unknown = render(call.arguments, value)
    return checkContent(content, call.host.options.limits)
  } catch (thrown) {
    call.thrown('projectContent', thrown)
    return renderJson(value)
  }
}
