import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type Notification, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

type Handler = (notification: Notification) => unknown

const method = 'notifications/tools/list_changed'
/** Who listens to a client: it has one place for a handler, and several runtimes may follow it. */
const listening = new WeakMap<Client, Set<() => void>>()

/** Hears of `list_changed`, beside a handler that the app has set before. What it answers ends that and puts everything back. */
export function onListChanged(client: Client, listener: () => void): () => void {
  const listeners = listening.get(client) ?? install(client)
  listeners.add(listener)
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) uninstall.get(listeners)?.()
  }
}

const uninstall = new WeakMap<Set<() => void>, () => void>()

function install(client: Client): Set<() => void> {
  const listeners = new Set<() => void>()
  const before = handlerOf(client)
  client.setNotificationHandler(ToolListChangedNotificationSchema, async (notification) => {
    for (const listener of listeners) listener()
    await before?.(notification)
  })
  const ours = handlerOf(client)
  listening.set(client, listeners)
  uninstall.set(listeners, () => {
    listening.delete(client)
    if (handlerOf(client) !== ours) return // the app has set another since
    client.removeNotificationHandler(method)
    if (before !== undefined) {
      client.setNotificationHandler(ToolListChangedNotificationSchema, async (notification) => {
        await before(notification)
      })
    }
  })
  return listeners
}

/** The SDK has no public way to ask what is set; where this private one is gone, a handler of the app is not known of. */
function handlerOf(client: Client): Handler | undefined {
  const { _notificationHandlers: handlers } = client as unknown as { _notificationHandlers?: unknown }
  return handlers instanceof Map ? (handlers.get(method) as Handler | undefined) : undefined
}
