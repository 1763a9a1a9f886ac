import type { Session } from '@pawl/core'

/** One text for each session, the same exactly for the same session: what an artefact is bound to. */
export function ownerOf(session: Session | undefined): string {
  if (session === undefined) return '[]'
  const { id, principal } = typeof session === 'string' ? { id: session, principal: undefined } : session
  return JSON.stringify(principal === undefined ? [id] : [id, principal])
}
