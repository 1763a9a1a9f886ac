import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { anthropic } from './anthropic.ts'
import { openai } from './openai.ts'
import type { AssistantStep, Provider } from './provider.ts'

/** An assistant message from a file. */
export interface Message extends AssistantStep {
  readonly file: string
  readonly provider: Provider
}

const providers = [openai, anthropic]

/** The example's own messages. */
export const shipped: readonly string[] = ['openai', 'anthropic', 'log', 'read-back'].map((name) =>
  fileURLToPath(new URL(`../messages/${name}.json`, import.meta.url)),
)

/** @throws Error that names the file and what is wrong with it */
export async function readMessage(path: string): Promise<Message> {
  const file = relative('', path)
  const json = await readJson(path, file)
  for (const provider of providers) {
    const step = readAs(provider, json, file)
    if (step !== undefined) return { file, provider, ...step }
  }
  const names = providers.map(({ name }) => name).join(' or ')
  throw new Error(`${file} is no response of ${names}.`)
}

function readAs(provider: Provider, json: unknown, file: string): AssistantStep | undefined {
  try {
    return provider.read(json)
  } catch (error) {
    throw new Error(`${file}: this response of ${provider.name} ${(error as Error).message}`)
  }
}

async function readJson(path: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new Error(`${file} can not be read: ${(error as Error).message}.`)
  }
}
