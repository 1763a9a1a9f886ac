import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'

/**
 * The sources as JavaScript, for processes of their own, so that no build is needed before a test. Gives the folder, which is the
 * caller's to remove; its entry is `index.js`.
 */
export function built(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spill-fs-built-'))
  const sources = new URL('../../src/', import.meta.url)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const name of readdirSync(sources).filter((file) => file.endsWith('.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(new URL(name, sources), 'utf8'), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    })
    writeFileSync(join(folder, name.replace(/ts$/, 'js')), outputText)
  }
  return folder
}
