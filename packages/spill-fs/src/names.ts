import { createHash, randomBytes } from 'node:crypto'
import type { Session } from '@pawl/core'

/*
 * Every name on the disk is made here, of lower case letters, digits and a few signs that mean nothing anywhere: nothing of what
 * a model, a tool or a server says can leave its folder, on a platform that folds case or reserves names neither.
 */

/** What an artefact is called: by the model, and in its session's folder. */
export interface ArtefactName {
  readonly locator: string
  readonly file: string
  /** `undefined`: it is a text. */
  readonly mediaType: string | undefined
}

/** Characters of a suggested name that are kept, and those of it that are looked at. */
const longestLabel = 40
const lookedAt = 200
/** Characters of an escaped media type: names have no more than 255 bytes on common file systems. */
const longestMediaType = 160

const prefix = 'spill_'
const locatorForm = /^spill_([0-9a-f]{32}(?:-[a-z0-9-]{1,40})?)(?:@([a-z0-9~-]{0,160}))?$/
const textFile = /^[0-9a-f]{32}(?:-[a-z0-9-]{1,40})?\.txt$/
const blobFile = /^[0-9a-f]{32}(?:-[a-z0-9-]{1,40})?@[a-z0-9~-]{0,160}$/
const unfinishedFile = /^[0-9a-f]{32}\.part$/
const sessionFolder = /^s-[0-9a-f]{32}$/

/** A new name, which nobody can guess: 128 random bits, and what is harmless of the suggested name. */
export function newName(suggested: string | undefined, mediaType: string | undefined): ArtefactName {
  const label = labelOf(suggested)
  const stem = randomBytes(16).toString('hex') + (label === '' ? '' : `-${label}`)
  if (mediaType === undefined) return { locator: prefix + stem, file: `${stem}.txt`, mediaType }
  const file = `${stem}@${escapeMediaType(mediaType)}`
  return { locator: prefix + file, file, mediaType }
}

/** What a locator names; `undefined` if it is none that `newName` can have made. */
export function nameOf(locator: string): ArtefactName | undefined {
  const [, stem, escaped] = locatorForm.exec(locator) ?? []
  if (stem === undefined) return undefined
  if (escaped === undefined) return { locator, file: `${stem}.txt`, mediaType: undefined }
  return { locator, file: `${stem}@${escaped}`, mediaType: unescapeMediaType(escaped) }
}

/** The file that is written before there is an artefact: no locator leads to it. */
export function unfinishedName(): string {
  return `${randomBytes(16).toString('hex')}.part`
}

/**
 * The folder of a session. Equal exactly for the same session: `'a'` and `{ id: 'a' }` are one, another principal is another.
 */
export function folderOf(session: Session | undefined): string {
  const { id, principal } = typeof session === 'object' ? session : { id: session, principal: undefined }
  const owner = JSON.stringify(id === undefined ? [] : principal === undefined ? [id] : [id, principal])
  return `s-${createHash('sha256').update(owner).digest('hex').slice(0, 32)}`
}

export function isSessionFolder(name: string): boolean {
  return sessionFolder.test(name)
}

export function isArtefact(name: string): boolean {
  return textFile.test(name) || blobFile.test(name)
}

export function isUnfinished(name: string): boolean {
  return unfinishedFile.test(name)
}

function labelOf(suggested: string | undefined): string {
  const words =
    suggested
      ?.slice(0, lookedAt)
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, longestLabel)
}

/** Injective: letters and digits stay, every other byte is a tilde and two hex digits. */
function escapeMediaType(mediaType: string): string {
  const escaped = Array.from(Buffer.from(mediaType), (byte) => {
    const character = String.fromCharCode(byte)
    return /[a-z0-9-]/.test(character) ? character : `~${byte.toString(16).padStart(2, '0')}`
  }).join('')
  if (escaped.length > longestMediaType)
    throw new TypeError(
      `[pawl] spillFs: \`mediaType\` has to be short, as in "image/png". It is ${JSON.stringify(mediaType.slice(0, 100))}….`,
    )
  return escaped
}

function unescapeMediaType(escaped: string): string {
  const bytes = escaped.replace(/~([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
