import type { Contender } from './contender.ts'
import { f0, f1, f2, f3, f4, f5, jsonRoundTrip } from './floors.ts'
import { bare, deadline, deadlineRead, journalled, plugins } from './pawl.ts'
import * as work from './work.ts'

type Make = () => Contender

/** A peer is given the work, so that it runs the very bodies whose runs are counted. */
interface PeerModule {
  make(given: typeof work): Promise<Omit<Contender, 'id'>>
}

/** How to make each contender of this package, by its id, which is also the order of the report. */
export const own: { readonly [id: string]: Make } = {
  F0: f0,
  F1: f1,
  F2: f2,
  F3: f3,
  F4: f4,
  F5: f5,
  json: jsonRoundTrip,
  pawl: bare,
  'pawl plugins': plugins,
  'pawl deadline': deadline,
  'pawl signal': deadlineRead,
  'pawl journal': journalled,
}

/** Peers: each a module of the folder `peers`, which has dependencies of its own. */
export const peers: { readonly [id: string]: string } = {
  'OpenAI Agents': 'openai-agents.mjs',
  MCP: 'mcp.mjs',
  'dsh-tools': 'dsh-tools.mjs',
  Mastra: 'mastra.mjs',
  'LangChain tool': 'langchain.mjs',
  'LangGraph ToolNode': 'langgraph.mjs',
  'AI SDK': 'ai-sdk.mjs',
}

/** @throws Error if there is no such contender, or if its framework can not be set up */
export async function makeContender(id: string): Promise<Contender> {
  const make = own[id]
  if (make !== undefined) return make()
  const file = peers[id]
  if (file === undefined) throw new Error(`There is no contender "${id}".`)
  const { make: makePeer } = (await import(new URL(`../peers/${file}`, import.meta.url).href)) as PeerModule
  return { ...(await makePeer(work)), id }
}
