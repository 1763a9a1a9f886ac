import { createHash } from 'node:crypto'
import { isObject } from './keywords.ts'

/**
 * Compares the values of one check as JSON. A schema may ask for the same array or object at every level and in every branch, so
 * what was found out about one is kept until `forget`, and all comparisons together cost time linear in the value.
 */
export class Comparisons {
  readonly #texts = new Map<object, string>()
  readonly #verdicts = new Map<readonly unknown[], boolean>()

  /** Whether no two items are equal. */
  areUnique(items: readonly unknown[]): boolean {
    const known = this.#verdicts.get(items)
    if (known !== undefined) return known
    const seen = new Set<unknown>()
    const verdict = items.every((item) => seen.size < seen.add(this.#keyOf(item)).size)
    this.#verdicts.set(items, verdict)
    return verdict
  }

  /** A text that two values share exactly if they are equal; member order does not matter. */
  textOf(value: unknown): string {
    if (!isContainer(value)) return JSON.stringify(value)
    const known = this.#texts.get(value)
    if (known !== undefined) return known
    const text = short(Array.isArray(value) ? this.#textOfItems(value) : this.#textOfMembers(value as Members))
    this.#texts.set(value, text)
    return text
  }

  forget(): void {
    this.#texts.clear()
    this.#verdicts.clear()
  }

  #keyOf(item: unknown): unknown {
    if (typeof item === 'string') return `"${item}`
    return isContainer(item) ? this.textOf(item) : item
  }

  #textOfItems(items: readonly unknown[]): string {
    return `[${items.map((item) => this.textOf(item)).join()}]`
  }

  #textOfMembers(members: Members): string {
    const names = Object.keys(members).sort()
    return `{${names.map((name) => `${JSON.stringify(name)}:${this.textOf(members[name])}`).join()}}`
  }
}

type Members = { readonly [name: string]: unknown }

/** Answers whether a value is one of `allowed`, at a cost that does not depend on how many there are. */
export function membership(allowed: readonly unknown[], comparisons: Comparisons): (value: unknown) => boolean {
  const own = new Comparisons()
  const scalars = new Set(allowed.filter((value) => !isContainer(value)))
  const texts = new Set(allowed.filter(isContainer).map((value) => own.textOf(value)))
  return (value) => {
    if (!isContainer(value)) return scalars.has(value)
    return texts.size > 0 && texts.has(comparisons.textOf(value))
  }
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isObject(value)
}

/** Of a long text its digest, so that what is inside is not written out again at each level. No text of JSON begins with `#`. */
function short(text: string): string {
  return text.length <= 100 ? text : `#${createHash('sha256').update(text).digest('base64')}`
}
