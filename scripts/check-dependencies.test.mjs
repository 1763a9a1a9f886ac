import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { checkDependencies } from './check-dependencies.mjs'

const roots = []

/** A repository with a clean core, retention and one plugin, in which `files` are laid over what is there. */
function repository(files = {}) {
  const root = mkdtempSync(join(tmpdir(), 'pawl-rules-'))
  roots.push(root)
  const all = {
    'package.json': { devDependencies: { vitest: '*' } },
    'packages/core/package.json': manifest('@pawl/core', { dependencies: { ajv: '*' }, devDependencies: { zod: '*' } }),
    'packages/core/src/index.ts':
      "import { Ajv } from 'ajv'\nimport { readFileSync } from 'node:fs'\nexport * from './tool.ts'\n",
    'packages/core/src/tool.test.ts': "import { test } from 'vitest'\nimport * as z from 'zod'\n",
    'packages/retention/package.json': manifest('@pawl/retention'),
    'packages/retention/src/index.ts': 'export {}\n',
    'plugins/retry/package.json': manifest('@pawl/plugin-retry', { peerDependencies: { '@pawl/core': 'workspace:^' } }),
    'plugins/retry/src/index.ts': "import type { Plugin } from '@pawl/core'\n",
    'plugins/retry/src/index.test.ts': "import { createToolRuntime } from '@pawl/core'\n",
    ...files,
  }
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return root
}

function manifest(name, more = {}) {
  const published = { types: './dist/index.d.ts', default: './dist/index.js' }
  return {
    name,
    exports: { '.': { '@pawl/source': './src/index.ts', ...published } },
    publishConfig: { exports: { '.': published } },
    ...more,
  }
}

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

test('a repository that keeps the rules has no violation', () => {
  expect(checkDependencies(repository())).toEqual([])
})

const planted = [
  [
    'core imports a plugin',
    'packages/core/src/a.ts',
    "import { retry } from '@pawl/plugin-retry'",
    'core-is-the-centre',
  ],
  ['core imports an SDK', 'packages/core/src/a.ts', "import type { Tool } from 'openai'", 'core-is-the-centre'],
  [
    'a test of core imports a plugin',
    'packages/core/src/a.test.ts',
    "import '@pawl/plugin-retry'",
    'core-is-the-centre',
  ],
  [
    'core loads a plugin late',
    'packages/core/src/a.ts',
    "const x = await import('@pawl/plugin-retry')",
    'core-is-the-centre',
  ],
  [
    'retention imports a builtin',
    'packages/retention/src/a.ts',
    "import { Buffer } from 'node:buffer'",
    'retention-stands-alone',
  ],
  [
    'a plugin imports a value of core',
    'plugins/retry/src/a.ts',
    "import { ToolError } from '@pawl/core'",
    'plugins-and-stores-know-only-types',
  ],
  [
    'a plugin re-exports core',
    'plugins/retry/src/a.ts',
    "export * from '@pawl/core'",
    'plugins-and-stores-know-only-types',
  ],
  ['an undeclared package', 'packages/core/src/a.ts', "import pino from 'pino'", 'declare-what-you-import'],
  [
    'a devDependency in a source',
    'packages/core/src/a.ts',
    "import type { ZodType } from 'zod'",
    'declare-what-you-import',
  ],
  [
    'a path into another package',
    'plugins/retry/src/a.ts',
    "import type { X } from '@pawl/core/src/tool.ts'",
    'no-deep-imports',
  ],
  [
    'a relative path out of the package',
    'plugins/retry/src/a.ts',
    "import {\n  x,\n} from '../../../packages/core/src/tool.ts'",
    'no-deep-imports',
  ],
]

test.each(planted)('flags: %s', (_, path, source, rule) => {
  const problems = checkDependencies(repository({ [path]: `// a comment first\n${source}\n` }))
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(path)
  expect(problems[0]).toContain(rule)
  expect(problems[0]).toContain('Way out:')
})

test('leaves a folder with a manifest of its own alone: it is another package', () => {
  const root = repository({
    'plugins/retry/peers/package.json': { name: 'peers' },
    'plugins/retry/peers/index.mjs': "import 'anything'\n",
  })
  expect(checkDependencies(root)).toEqual([])
})

test('flags an export whose source is missing', () => {
  const core = manifest('@pawl/core', { dependencies: { ajv: '*' }, devDependencies: { zod: '*' } })
  core.exports['./more'] = { '@pawl/source': './src/more.ts', default: './dist/more.js' }
  core.publishConfig.exports['./more'] = { default: './dist/more.js' }
  const problems = checkDependencies(repository({ 'packages/core/package.json': core }))
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('exports-have-sources')
})

test('flags published exports that differ from the others', () => {
  const retention = manifest('@pawl/retention')
  retention.publishConfig.exports['.'].default = './dist/other.js'
  const problems = checkDependencies(repository({ 'packages/retention/package.json': retention }))
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('exports-are-published')
})

test('flags a declared dependency that points the wrong way', () => {
  const retention = manifest('@pawl/retention', { dependencies: { '@pawl/core': 'workspace:^' } })
  const problems = checkDependencies(repository({ 'packages/retention/package.json': retention }))
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('retention-stands-alone')
})

test('does not take text for imports: comments, strings, templates', () => {
  const source = [
    '/**',
    " import { a } from 'in-a-docstring'",
    ' */',
    "// import { b } from 'in-a-comment'",
    'const program = `',
    "import { c } from 'in-a-template'",
    '`',
    'export const d = "import e from \'in-a-string\'"',
  ].join('\n')
  expect(checkDependencies(repository({ 'packages/core/src/a.ts': source }))).toEqual([])
})
