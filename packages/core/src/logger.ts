import { isPromiseLike } from './maybe.ts'
import type { Logger } from './plugin.ts'

/** A logger that fails costs its own line and nothing else. Without one, nothing is printed. */
export function safeLogger(logger: Logger | undefined): Logger {
  if (logger === undefined) return { warn() {} }
  return {
    warn(message) {
      try {
        const returned: unknown = logger.warn(message)
        if (isPromiseLike(returned)) returned.then(undefined, () => {})
      } catch {
        // there is nobody left to tell
      }
    },
  }
}
