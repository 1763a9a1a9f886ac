/** A value now, or later. Stages answer at once where nothing has to be waited for, which keeps a plain call cheap. */
export type MaybePromise<T> = T | Promise<T>

/** Whether `value` has to be waited for. What throws when it is looked at, as a revoked proxy does, is not waited for. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  try {
    return value instanceof Promise || typeof (value as { then?: unknown }).then === 'function'
  } catch {
    return false
  }
}

/** Keeps the rejection of what nobody waits for from going unhandled, which would end the process; `rejected` is told of it. */
export function disown(value: unknown, rejected: (thrown: unknown) => void = () => {}): void {
  try {
    if (isPromiseLike(value)) value.then(undefined, rejected)
  } catch (thrown) {
    rejected(thrown) // a foreign thenable
  }
}

/**
 * `next(context, value)`, now or once `value` is there. The context is handed over because a closure for every stage of every
 * call would be the larger part of what a call allocates.
 */
export function after<C, T, R>(
  value: MaybePromise<T>,
  context: C,
  next: (context: C, value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? later(value, context, next) : next(context, value)
}

function later<C, T, R>(promise: Promise<T>, context: C, next: (context: C, value: T) => MaybePromise<R>): Promise<R> {
  return promise.then((value) => next(context, value))
}
