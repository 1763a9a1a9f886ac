import type { Call } from './call.ts'
import { disown } from './maybe.ts'
import { describeThrown } from './thrown.ts'

/** Runs an observer: nobody waits for it, and whatever it does changes nothing (RES-7). */
export function observe(call: Call, plugin: string, observer: () => unknown): void {
  const warn = (thrown: unknown): void =>
    call.host.logger.warn(
      `[pawl] plugin "${plugin}" failed as an observer of ${call.name}: ${describeThrown(thrown).message}`,
    )
  try {
    disown(observer(), warn)
  } catch (thrown) {
    warn(thrown)
  }
}
