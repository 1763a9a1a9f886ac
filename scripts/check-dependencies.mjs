// Dependencies point one way. This check reads every source of every package and says which file breaks which rule,
// and what to do instead. `node scripts/check-dependencies.mjs [root]`
import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, posix } from 'node:path'
import { layerOf } from './dependency-layers.mjs'
import { importsOf, splitSpecifier } from './imports.mjs'
import { filesBelow, readJson, repositoryRoot, workspacePackages } from './workspace.mjs'

const builtins = new Set(builtinModules)

/** @returns {string[]} one message per violation; empty if all is well. */
export function checkDependencies(root = repositoryRoot) {
  const packages = workspacePackages(root)
  const byName = new Map(packages.map((one) => [one.manifest.name, one]))
  const rootManifest = existsSync(join(root, 'package.json')) ? readJson(join(root, 'package.json')) : {}
  const context = { root, byName, rootTools: Object.keys(rootManifest.devDependencies ?? {}) }
  return packages.flatMap((one) => [
    ...checkExports(one, context),
    ...checkDeclarations(one, context),
    ...sourcesOf(one, root).flatMap((file) => checkFile(one, file, context)),
  ])
}

function sourcesOf({ folder }, root) {
  return filesBelow(join(root, folder)).filter((file) => /\.[cm]?[jt]sx?$/.test(file))
}

function isTest(file) {
  return (
    /\.(test|test-d|spec)\.[cm]?[jt]sx?$/.test(file) ||
    /(^|\/)(test|fixtures)\//.test(file) ||
    /^[^/]+\.config\./.test(file)
  )
}

function checkFile(one, file, context) {
  const text = readFileSync(join(context.root, one.folder, file), 'utf8')
  return importsOf(text).flatMap((found) => {
    const at = `${one.folder}/${file}:${found.line}`
    const test = isTest(file)
    if (found.specifier.startsWith('.')) return checkRelative(one, file, found, at)
    return checkBare(one, { ...found, ...splitSpecifier(found.specifier), test }, at, context)
  })
}

function checkRelative({ folder }, file, { specifier }, at) {
  const target = posix.join(folder, posix.dirname(file), specifier)
  if (target.startsWith(`${folder}/`) || target === folder) return []
  return [
    message(
      at,
      specifier,
      'no-deep-imports',
      'a relative import leaves its package',
      'Import the other package by its name; if what you need is not exported there, export it.',
    ),
  ]
}

function checkBare(one, found, at, context) {
  const { specifier, name, subpath, test } = found
  const layer = layerOf(one.folder)
  const other = context.byName.get(name)
  const itself = other === one

  if (itself) {
    return test
      ? []
      : [message(at, specifier, 'no-self-import', 'a source imports its own package by name', 'Use a relative path.')]
  }
  const refusal = layer?.refuses({ ...found, workspace: other !== undefined })
  if (layer && refusal) return [message(at, specifier, layer.rule, refusal, layer.wayOut)]
  if (specifier.startsWith('node:') || builtins.has(specifier)) return []

  if (other && !Object.hasOwn(other.manifest.exports ?? { '.': true }, subpath)) {
    return [
      message(
        at,
        specifier,
        'no-deep-imports',
        `${name} does not export ${subpath}`,
        `Import what ${name} exports (${Object.keys(other.manifest.exports).join(', ')}), or export it there.`,
      ),
    ]
  }
  return checkDeclared(one, found, at, context)
}

function checkDeclared({ folder, manifest }, { specifier, name, test }, at, { rootTools }) {
  const declares = (field) => Object.hasOwn(manifest[field] ?? {}, name)
  if (['dependencies', 'peerDependencies', 'optionalDependencies'].some(declares)) return []
  if (declares('devDependencies')) {
    if (test || manifest.private) return []
    return [
      message(
        at,
        specifier,
        'declare-what-you-import',
        `${name} is only a devDependency, so users of the package will not have it`,
        `Move it to dependencies or peerDependencies (optional ones by peerDependenciesMeta) of ${folder}/package.json. A type counts too: the published declarations name it.`,
      ),
    ]
  }
  if (test && rootTools.includes(name)) return []
  return [
    message(
      at,
      specifier,
      'declare-what-you-import',
      `${folder}/package.json does not declare ${name}`,
      `Add it to ${test ? 'devDependencies' : 'dependencies or peerDependencies'} of ${folder}/package.json, or do without it.`,
    ),
  ]
}

/** Each `exports` entry has its source, and what is published is the same without the source condition. */
function checkExports({ folder, manifest }, { root }) {
  const at = `${folder}/package.json`
  const published = manifest.publishConfig?.exports ?? {}
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, entry]) => {
    if (typeof entry === 'string') return []
    const { '@pawl/source': source, ...rest } = entry
    const problems = []
    if (!source || !existsSync(join(root, folder, source))) {
      problems.push(
        message(
          at,
          subpath,
          'exports-have-sources',
          `its source ${source ?? '(none named)'} does not exist`,
          'Write the file, or take the entry out of `exports`.',
        ),
      )
    }
    if (!manifest.private && JSON.stringify(published[subpath]) !== JSON.stringify(rest)) {
      problems.push(
        message(
          at,
          subpath,
          'exports-are-published',
          '`publishConfig.exports` differs from `exports` without its source line',
          `Make it ${JSON.stringify(rest)}.`,
        ),
      )
    }
    return problems
  })
}

/** What package.json declares must point the right way too, used or not. */
function checkDeclarations({ folder, manifest }, { byName }) {
  const at = `${folder}/package.json`
  const runtime = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }
  const layer = layerOf(folder)
  return Object.entries({ ...runtime, ...manifest.devDependencies }).flatMap(([name, range]) => {
    const workspace = byName.has(name)
    const test = !Object.hasOwn(runtime, name)
    const refusal = layer?.refuses({ name, workspace, typeOnly: true, test })
    if (layer && refusal) return [message(at, name, layer.rule, refusal, layer.wayOut)]
    if (workspace && !range.startsWith('workspace:')) {
      return [
        message(
          at,
          name,
          'workspace-protocol',
          `${name} is a package of this repository, asked for as ${range}`,
          'Write `workspace:^`.',
        ),
      ]
    }
    return []
  })
}

function message(at, subject, rule, what, wayOut) {
  return `${at}\n  ${subject}\n  ${rule}: ${what}.\n  Way out: ${wayOut}`
}

if (process.argv[1]?.endsWith('check-dependencies.mjs')) {
  const root = process.argv[2] ?? repositoryRoot
  const problems = checkDependencies(root)
  if (problems.length > 0) {
    console.error(problems.join('\n\n'))
    console.error(`\n${problems.length} dependency rule violation(s)`)
    process.exit(1)
  }
  console.log(`dependency directions: ${workspacePackages(root).length} packages, no violation`)
}
