import Type from 'typebox'
import { describe, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { createToolRuntime, defineTool, type Json, type Plugin } from './index.ts'

describe('argument and value types are inferred from', () => {
  test('TypeBox', () => {
    defineTool({
      name: 't',
      description: '',
      parameters: Type.Object({
        path: Type.String(),
        limit: Type.Optional(Type.Integer()),
        mode: Type.Union([Type.Literal('r'), Type.Literal('w')]),
        tags: Type.Array(Type.String()),
        nested: Type.Object({ deep: Type.Boolean() }),
      }),
      output: { schema: Type.Object({ lines: Type.Array(Type.String()), next: Type.Optional(Type.Number()) }) },
      execute(args, exec) {
        expectTypeOf(args).toEqualTypeOf<{
          path: string
          limit?: number
          mode: 'r' | 'w'
          tags: string[]
          nested: { deep: boolean }
        }>()
        expectTypeOf(exec.arguments).toEqualTypeOf<typeof args>()
        return { lines: [args.path] }
      },
    })
  })

  test('a literal JSON Schema', () => {
    defineTool({
      name: 't',
      description: '',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' }, limit: { type: ['integer', 'null'] }, kind: { enum: ['a', 'b'] } },
        required: ['path'],
      },
      output: {
        schema: { type: 'array', items: { type: 'number' } },
        render: (_args, value) => [{ type: 'text', text: value.join() }],
      },
      isConcurrencySafe: ({ path }) => path.length > 0,
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ path: string; limit?: number | null; kind?: 'a' | 'b' }>()
        return [1, 2]
      },
    })
  })

  test('a Standard Schema: what it takes, not what it makes of it', () => {
    defineTool({
      name: 't',
      description: '',
      parameters: z.object({
        url: z.string(),
        depth: z.number().optional(),
        size: z.string().transform((text) => text.length),
      }),
      output: { schema: z.object({ ok: z.boolean() }) },
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ url: string; size: string; depth?: number | undefined }>()
        return { ok: true }
      },
    })
  })

  test('the short map', () => {
    defineTool({
      name: 't',
      description: '',
      parameters: { path: { type: 'string', required: true, description: 'where' }, limit: { type: 'integer' } },
      output: { schema: { type: 'string' } },
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ path: string; limit?: number }>()
        return args.path
      },
    })
  })

  test('nothing: {} is any JSON, and for parameters any JSON object', () => {
    defineTool({
      name: 't',
      description: '',
      parameters: {},
      output: { schema: {} },
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ [member: string]: Json }>()
        return [null, { any: 'thing' }]
      },
    })
  })
})

test('a value that the output schema does not declare is a type error', () => {
  defineTool({
    name: 't',
    description: '',
    parameters: { path: { type: 'string', required: true } },
    output: { schema: { type: 'number' } },
    // @ts-expect-error a string where a number is declared
    execute: ({ path }) => path,
  })
})

test('an example that does not follow the schema is a type error', () => {
  defineTool({
    name: 't',
    description: '',
    parameters: { path: { type: 'string', required: true } },
    output: { schema: { type: 'number' } },
    // @ts-expect-error `pth` for `path`
    examples: [{ arguments: { pth: '/' } }],
    execute: () => 1,
  })
})

test('tools of different types fit into one list, and a plugin may register one inline', () => {
  const one = defineTool({
    name: 'one',
    description: '',
    parameters: Type.Object({ a: Type.String() }),
    output: { schema: Type.Number() },
    execute: () => 1,
  })
  const two = defineTool({
    name: 'two',
    description: '',
    parameters: { b: { type: 'number' } },
    output: { schema: {} },
    execute: ({ b }) => b ?? null,
  })
  createToolRuntime({ tools: [one, two] })
  const plugin: Plugin = {
    name: 'adder',
    setup(ctx) {
      ctx.tools.register({
        name: 'add',
        description: '',
        parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
        output: { schema: { type: 'number' } },
        execute({ a, b }) {
          expectTypeOf(a).toEqualTypeOf<number>()
          return a + b
        },
      })
    },
  }
  expectTypeOf(plugin).toExtend<Plugin>()
})
