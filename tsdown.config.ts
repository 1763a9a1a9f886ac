import { readFileSync } from 'node:fs'
import { defineConfig, type UserConfig } from 'tsdown'

// One configuration for every package. The entry points are the package's own `exports`: what has a source is built.
type Exports = Record<string, string | { '@pawl/source'?: string }>

function entries(): string[] {
  const { exports = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports?: Exports }
  const sources = Object.values(exports).flatMap((entry) =>
    typeof entry === 'object' && entry['@pawl/source'] ? [entry['@pawl/source']] : [],
  )
  return sources.length > 0 ? sources : ['src/index.ts']
}

const config: UserConfig = defineConfig({
  cwd: process.cwd(),
  entry: entries(),
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: true,
  fixedExtension: false,
  clean: true,
})

export default config
