import { SECOND } from '#lib/time.ts'

export type Progress = (line: string) => void

/** Prints `line` if `work` takes longer than a second. */
export async function withProgress<Result>(progress: Progress, line: string, work: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => progress(line), SECOND)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

export function oneLine(error: unknown): string {
  // If a host has several addresses and refuses the connection, Node throws an AggregateError without a message.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(oneLine).join(', ')
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.replace(/\s*\n\s*/g, ' ').trim()
}
