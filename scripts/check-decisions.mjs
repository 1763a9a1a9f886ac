// Decision records are docs/decisions/NNNN-what-was-decided.md, and no number is given twice.
// `node scripts/check-decisions.mjs [root]`
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from './workspace.mjs'

const shape = /^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.md$/

/** @returns {string[]} one message per violation; empty if all is well. */
export function checkDecisions(root = repositoryRoot) {
  const folder = join(root, 'docs', 'decisions')
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file !== 'README.md')
        .sort()
    : []
  const byNumber = new Map()
  const problems = []
  for (const file of files) {
    const number = shape.exec(file)?.[1]
    if (number === undefined) {
      problems.push(`docs/decisions/${file}: a decision record is named NNNN-lower-case-words.md. Rename the file.`)
    } else {
      byNumber.set(number, [...(byNumber.get(number) ?? []), file])
    }
  }
  for (const [number, same] of byNumber) {
    if (same.length > 1) {
      problems.push(
        `docs/decisions: number ${number} is taken by ${same.join(' and ')}. Give the newer one the next free number.`,
      )
    }
  }
  return problems
}

if (process.argv[1]?.endsWith('check-decisions.mjs')) {
  const problems = checkDecisions(process.argv[2])
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exit(1)
  }
  console.log('decision records: numbers are unique')
}
