import { setMaxListeners } from 'node:events'
import { Ajv, type ValidateFunction } from 'ajv'
import compose from 'koa-compose'
import type { Contender } from './contender.ts'
import { type Body, bigText, bodies, bodyNames, output, parameters, rows, sum } from './work.ts'

/*
 * The floors: what has to be done at least, written by hand, from nothing (F0) to a pipeline with a deadline (F4), and
 * what a result that nobody can change costs without any pipeline (F5).
 */

type Args = typeof sum
type Call = (body: Body, args: Args, signal?: AbortSignal) => Promise<unknown>

interface Checked {
  readonly run: (args: Args) => Promise<unknown>
  readonly checkArgs: ValidateFunction
  readonly checkValue: ValidateFunction
}

function checkedTools(): Record<Body, Checked> {
  const ajv = new Ajv()
  const tool = (body: Body): [Body, Checked] => [
    body,
    { run: bodies[body], checkArgs: ajv.compile(parameters), checkValue: ajv.compile(output) },
  ]
  return Object.fromEntries(bodyNames.map(tool)) as Record<Body, Checked>
}

function floor(id: string, label: string, call: Call): Contender {
  return {
    id,
    label,
    call: (signal) => call('add', sum, signal),
    async batch(body, count) {
      const results = await Promise.all(Array.from({ length: count }, () => call(body, sum)))
      return results.length
    },
  }
}

function need(isValid: boolean): void {
  if (!isValid) throw new TypeError('it violates its schema')
}

/** The body alone. */
export const f0 = (): Contender => floor('F0', 'F0 `await execute(args)`', (body, args) => bodies[body](args))

/** The floor of all ratios: checked arguments, the body, a checked value, its JSON text; no policy at all. */
export function f1(): Contender {
  const tools = checkedTools()
  return floor('F1', 'F1 ajv in + execute + ajv out + `JSON.stringify`', async (body, args) => {
    const { run, checkArgs, checkValue } = tools[body]
    need(checkArgs(args))
    const value = await run(args)
    need(checkValue(value))
    return JSON.stringify(value)
  })
}

/** What is commonly written: an onion of async layers, everything cloned and frozen. */
export function f2(): Contender {
  const tools = checkedTools()
  const layer = async (_context: unknown, next: () => Promise<unknown>): Promise<unknown> => {
    const result = await next()
    return result
  }
  const onion = compose([layer, layer, layer, layer])
  const label = 'F2 = F1 + koa-compose onion of 4 + `structuredClone` + deep freeze'
  return floor('F2', label, async (body, args) => {
    const { run, checkArgs, checkValue } = tools[body]
    const own = deepFreeze(structuredClone(args))
    need(checkArgs(own))
    const value = deepFreeze(structuredClone(await onion({ body }, () => run(own))))
    need(checkValue(value))
    return Object.freeze({ isError: false, value, content: JSON.stringify(value) }).content
  })
}

/** The same made lean: the chain built once, one walk that copies and freezes. */
export function f3(): Contender {
  const tools = checkedTools()
  const chains = chainsOf(tools, async (context, next) => {
    const result = await next(context)
    return result
  })
  return floor('F3', 'F3 = F2 made lean: chain built once, one walk that copies and freezes', async (body, args) => {
    const { checkArgs, checkValue } = tools[body]
    const own = frozenCopy(args)
    need(checkArgs(own))
    const value = frozenCopy(await chains[body]({ args: own }))
    need(checkValue(value))
    return Object.freeze({ isError: false, value, content: JSON.stringify(value) }).content
  })
}

/** With layers that only forward, and a deadline of 30 s and a caller's signal, both cleaned up. */
export function f4(): Contender {
  const tools = checkedTools()
  const chains = chainsOf(tools, (context, next) => next(context))
  const caller = new AbortController().signal
  setMaxListeners(0, caller) // each call of a batch listens
  return floor(
    'F4',
    'F4 = F3, layers that forward, a 30 s deadline and a caller signal by hand',
    async (body, args) => {
      const { checkArgs, checkValue } = tools[body]
      const controller = new AbortController()
      const own = frozenCopy(args)
      need(checkArgs(own))
      const stop = (): void => controller.abort()
      const timer = setTimeout(stop, 30_000)
      caller.addEventListener('abort', stop, { once: true })
      let value: unknown
      try {
        value = frozenCopy(await chains[body]({ args: own, signal: controller.signal }))
      } finally {
        clearTimeout(timer)
        caller.removeEventListener('abort', stop)
      }
      need(checkValue(value))
      return Object.freeze({ isError: false, value, content: JSON.stringify(value) }).content
    },
  )
}

/** F1 whose caller gets what every result is: frozen copies, which neither the caller nor the body can change any more. */
export function f5(): Contender {
  const tools = checkedTools()
  const label = 'F5 = F1 + arguments and value copied and frozen, a frozen result with frozen content'
  return floor('F5', label, async (body, args) => {
    const { run, checkArgs, checkValue } = tools[body]
    const own = frozenCopy(args)
    need(checkArgs(own))
    const value = frozenCopy(await run(own))
    need(checkValue(value))
    const block = Object.freeze({ type: 'text', text: JSON.stringify(value) })
    return Object.freeze({ isError: false, value, content: Object.freeze([block]) }).content[0]?.text
  })
}

/** A JSON round trip of the large values. */
export function jsonRoundTrip(): Contender {
  return {
    id: 'json',
    label: '`JSON.parse(JSON.stringify(value))`',
    text: async () => (JSON.parse(JSON.stringify(bigText)) as string).length,
    rows: async () => (JSON.parse(JSON.stringify(rows)) as unknown[]).length,
  }
}

interface Context {
  readonly args: Args
  readonly signal?: AbortSignal
}
type Next = (context: Context) => Promise<unknown>

function chainsOf(
  tools: Record<Body, Checked>,
  layer: (context: Context, next: Next) => Promise<unknown>,
): Record<Body, Next> {
  const chain = (body: Body): [Body, Next] => {
    let next: Next = ({ args }) => tools[body].run(args)
    for (let depth = 0; depth < 4; depth++) {
      const inner = next
      next = (context) => layer(context, inner)
    }
    return [body, next]
  }
  return Object.fromEntries(bodyNames.map(chain)) as Record<Body, Next>
}

function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

function frozenCopy<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T
  const copy: { [member: string]: unknown } = {}
  for (const member of Object.keys(value)) copy[member] = frozenCopy((value as { [member: string]: unknown })[member])
  return Object.freeze(copy) as T
}
