// Finds the module specifiers that a source file names. It reads statements that begin a line, which is how a
// formatted source has them, so that it needs no parser.

const statement = /^[ \t]*(import|export)\b([^'"`;()]*?)(['"])([^'"\n]+)\3/gm
const call = /\b(?:import|require)\(\s*(['"])([^'"\n]+)\1\s*\)(\s*\.\s*[A-Z])?/g

/**
 * @param {string} text the source of one module
 * @returns {{ specifier: string, typeOnly: boolean, line: number }[]} in the order of the text
 */
export function importsOf(text) {
  const code = withoutComments(text)
  const found = []
  for (const match of code.matchAll(statement)) {
    const [whole, keyword, clause, , specifier] = match
    const isModule = /\bfrom\s*$/.test(clause) || (keyword === 'import' && clause.trim() === '')
    if (!isModule || insideTemplate(code, match.index)) continue
    const at = match.index + whole.lastIndexOf(specifier)
    found.push({ specifier, typeOnly: /^\s+type\b(?!\s+from\b)/.test(clause), at })
  }
  for (const match of code.matchAll(call)) {
    if (insideTemplate(code, match.index)) continue
    // `import('x').Name` with a capital is, in these sources, a type; a value would be awaited first.
    found.push({ specifier: match[2], typeOnly: match[3] !== undefined, at: match.index })
  }
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ at, ...rest }) => ({ ...rest, line: code.slice(0, at).split('\n').length }))
}

/** Blanks comments that begin a line, keeping line numbers. Others hold no statement that begins a line. */
function withoutComments(text) {
  return text
    .replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/[^\n]*/g, '$1')
}

/** An odd number of backticks before a place means that it is text of a template literal, such as a test's fixture. */
function insideTemplate(code, index) {
  let ticks = 0
  for (let i = 0; i < index; i++) {
    if (code[i] === '\\') i++
    else if (code[i] === '`') ticks++
  }
  return ticks % 2 === 1
}

/** `@scope/name/sub/path` -> `{ name: '@scope/name', subpath: './sub/path' }`; the subpath of the package itself is `.`. */
export function splitSpecifier(specifier) {
  const parts = specifier.split('/')
  const name = parts.splice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  return { name, subpath: parts.length > 0 ? `./${parts.join('/')}` : '.' }
}
