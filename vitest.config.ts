import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

// Each package is one project, named after the package without its scope: `vitest run --project core`.
// Packages see each other's sources (the `@pawl/source` condition), so no build is needed before a test.
const source = ['@pawl/source']

function childrenOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

const packageRoots = [
  ...childrenOf('packages'),
  ...childrenOf('plugins'),
  'conformance',
  ...childrenOf('examples'),
  'benchmarks',
].filter((root) => existsSync(join(root, 'package.json')))

function hasTypeTests(folder: string): boolean {
  return (
    existsSync(folder) && readdirSync(folder, { recursive: true }).some((file) => String(file).endsWith('.test-d.ts'))
  )
}

function packageProject(root: string) {
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }
  return {
    extends: true as const,
    root,
    test: {
      name: name.replace('@pawl/', ''),
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      typecheck: {
        // A type check costs seconds, so only where there is a type test. Errors in sources are `tsc`'s to report.
        enabled: ['src', 'test'].some((folder) => hasTypeTests(join(root, folder))),
        include: ['src/**/*.test-d.ts', 'test/**/*.test-d.ts'],
        tsconfig: 'tsconfig.json',
        ignoreSourceErrors: true,
      },
    },
  }
}

const config: ViteUserConfig = defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source, externalConditions: source } },
  test: {
    passWithNoTests: true,
    // Twenty times the runs take twenty times as long.
    testTimeout: process.env.PAWL_DEEP === '1' ? 600_000 : 5_000,
    // On two cores vitest takes one worker by default, which leaves the other idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    coverage: { provider: 'v8', include: ['packages/*/src/**', 'plugins/*/src/**', 'conformance/src/**'] },
    projects: [
      ...packageRoots.map(packageProject),
      { extends: true as const, root: 'scripts', test: { name: 'scripts', include: ['**/*.test.mjs'] } },
    ],
  },
})

export default config
