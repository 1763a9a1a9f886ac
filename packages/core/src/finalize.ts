import type { Call } from './call.ts'
import { checkContent } from './content.ts'
import { type Projected, pendingResult } from './post-execute.ts'
import { defaultContent } from './project.ts'

/**
 * The tool's own last word on its content, once for every outcome of a known tool (STG-4). It can change the content only; if it
 * fails, the default rendering stands, or what post-execute put in its place, which may have left something out on purpose.
 */
export function finalizeContent(call: Call, projected: Projected): Projected {
  const finalize = call.tool?.finalizeContent
  if (finalize === undefined) return projected
  call.enter('finalizeContent')
  const content = finalized(call, projected, finalize)
  call.leave('finalizeContent')
  return { ...projected, content }
}

function finalized(call: Call, projected: Projected, finalize: (result: never) => unknown): Projected['content'] {
  try {
    const content = finalize(pendingResult(call, projected) as never)
    if (content === undefined) return projected.content
    return checkContent(content, call.host.options.limits)
  } catch (thrown) {
    call.thrown('finalizeContent', thrown)
    return projected.replaced ? projected.content : defaultContent(projected.outcome)
  }
}
