/*
 * `node startup.js ajv|pawl`: ms that it takes to import ajv, or to import pawl and build a runtime with 1,000 tools, in a fresh
 * process. Prints the number.
 */

export {} // a module, so that it may wait

const start = performance.now()
if (process.argv[2] === 'ajv') await import('ajv')
else {
  const { createToolRuntime, defineTool } = await import('@pawl/core')
  const tool = (at: number) =>
    defineTool({
      name: `tool_${at}`,
      description: `Tool number ${at}.`,
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Where.' },
          limit: { type: 'integer', minimum: 1, maximum: 1_000 },
          mode: { enum: ['read', 'write'] },
          tags: { type: 'array', items: { type: 'string' } },
        },
        required: ['path'],
        additionalProperties: false,
      },
      output: { schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
      execute: async () => ({ text: '' }),
    })
  createToolRuntime({ tools: Array.from({ length: 1_000 }, (_, at) => tool(at)) })
}
console.log(performance.now() - start)
