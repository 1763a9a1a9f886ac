import { type AnyTool, type Content, defineTool, type Exec, ToolError } from '../../src/index.ts'
import { refused, throwables } from './hostile.ts'
import type { Stage } from './observe.ts'
import type { Answer, ContentAct, End, Node } from './world.ts'

type Args = { readonly [member: string]: unknown }

/** The parameters of every tool here: any object whose `bad`, if it has one, is null. */
const parameters = { type: 'object', properties: { bad: { type: 'null' } } } as const
/** Any JSON but one text. */
const output: object = { anyOf: [{ not: { const: 'violation' } }] }

/** `plain` has every optional member, `bare` none. What they do stands in the call. */
export function toolsOf(current: () => Stage): AnyTool[] {
  const nodeOf = (args: Args): Node => current().nodes[Number(args.n)] as Node
  const run = (args: Args, exec: Exec): unknown => execute(current(), nodeOf(args), exec)
  const plain = defineTool({
    name: 'plain',
    description: 'Does what its call says.',
    parameters,
    output: {
      schema: output,
      render(args: Args) {
        const node = nodeOf(args)
        current().note('render', node.n)
        return contentOf(node.call.render, node.n) as Content[]
      },
    },
    isConcurrencySafe(args: Args) {
      const node = nodeOf(args)
      current().note('classify', node.n)
      return answer(node.call.safe) as boolean
    },
    finalizeContent(result) {
      const stage = current()
      const n = stage.numberOfResult(result)
      stage.note('finalize', n, undefined, result)
      return contentOf(stage.nodes[n]?.call.finalize ?? 'undefined', n) as Content[] | undefined
    },
    execute: run as never,
  })
  const bare = defineTool({
    name: 'bare',
    description: 'Does what its call says.',
    parameters,
    output: { schema: output },
    execute: run as never,
  })
  return [plain, bare]
}

function execute(stage: Stage, node: Node, exec: Exec): unknown {
  const { body } = node.call
  stage.note('body', node.n, undefined, exec.arguments)
  if (body.async || body.waits > 0 || node.children.length > 0) return slowly(stage, node, exec)
  stage.note('body end', node.n)
  return ending(body.end, node, exec)
}

async function slowly(stage: Stage, node: Node, exec: Exec): Promise<unknown> {
  const { body } = node.call
  try {
    for (let wait = 0; wait < body.waits; wait++) await pause(stage, node, exec, stage.clock.wait(`body ${node.n}`))
    if (body.together) await Promise.all(node.children.map((child) => invoke(stage, child, exec)))
    else for (const child of node.children) await invoke(stage, child, exec)
    if (body.end.kind === 'hang') await pause(stage, node, exec, new Promise(() => {}))
  } finally {
    stage.note('body end', node.n)
  }
  return ending(body.end, node, exec)
}

/** Waits, for an abort too if the body hears one; takes its listener off again. */
async function pause(stage: Stage, node: Node, exec: Exec, waiting: Promise<void>): Promise<void> {
  if (!node.call.body.hears) return waiting
  const { signal } = exec
  let heard = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    heard = () => reject(signal.reason)
    if (signal.aborted) heard()
    else signal.addEventListener('abort', heard)
  })
  stage.listening++
  try {
    await Promise.race([waiting, aborted])
  } finally {
    signal.removeEventListener('abort', heard)
    stage.listening--
    stage.clock.forget(waiting)
  }
}

async function invoke(stage: Stage, child: Node, exec: Exec): Promise<void> {
  try {
    stage.note('invoked', child.n, 'value', await exec.invoke(child.call.tool, argumentsOf(child)))
  } catch (thrown) {
    stage.note('invoked', child.n, 'throw', thrown)
  }
}

export function argumentsOf({ n, call }: Node): unknown {
  if (call.args === 'malformed') return `{"n":${n},`
  const args = call.args === 'invalid' ? { n, bad: 1 } : { n }
  return call.text ? JSON.stringify(args) : args
}

function ending(end: End, { n }: Node, exec: Exec): unknown {
  switch (end.kind) {
    case 'value':
      return end.value
    case 'refused':
      return refused[end.what]?.make()
    case 'violation':
      return 'violation'
    case 'throw':
      throw throwables[end.what]?.()
    case 'tool error':
      throw new ToolError(end.code, `its own words ${n}`, { details: { own: n } })
    case 'fail':
      return exec.fail({ code: end.code, message: `its own words ${n}` })
    case 'hang':
      return new Promise(() => {})
  }
}

function answer(safe: Answer): unknown {
  switch (safe) {
    case 'true':
      return true
    case 'false':
      return false
    case 'one':
      return 1
    case 'text':
      return 'true'
    case 'object':
      return {}
    case 'promise':
      return Promise.resolve(true)
    case 'rejection':
      return Promise.reject(new Error('later'))
    case 'throw':
      throw throwables[3]?.()
  }
}

function contentOf(act: ContentAct, n: number): unknown {
  switch (act) {
    case 'fine':
      return [{ type: 'text', text: `rendered ${n}` }]
    case 'undefined':
      return undefined
    case 'throw':
      throw throwables[Math.max(0, n) % throwables.length]?.()
    case 'garbage':
      return [null, 'text', [null], [{ type: 'text' }], [{ type: '__proto__' }], { type: 'text', text: 'x' }][
        Math.max(0, n) % 6
      ]
    case 'promise':
      return Promise.resolve([{ type: 'text', text: 'later' }])
    case 'lone':
      return [
        { type: 'text', text: 'lone \ud800' },
        { type: 'resource', resource: { uri: 'x:\udc00', text: '\ud800' } },
      ]
  }
}
