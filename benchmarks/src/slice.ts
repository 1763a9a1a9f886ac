/** Runs an operation `count` times, one after the other; gives ns for each. */
export async function timeSlice(operation: () => Promise<unknown>, count: number): Promise<number> {
  const start = process.hrtime.bigint()
  for (let at = 0; at < count; at++) await operation()
  return Number(process.hrtime.bigint() - start) / count
}
