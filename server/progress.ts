import { SECOND } from '#lib/time.ts'

/** Takes one line for the person who waits. */
export type Progress = (line: string) => void

/** Announces work that takes longer than a second. */
export async function slowly<Result>(progress: Progress, line: string, work: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => progress(line), SECOND)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/** What went wrong, in one line. */
export function oneLine(error: unknown): string {
  // A connection that was refused on each of a host's addresses is an AggregateError without words.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(oneLine).join(', ')
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.replace(/\s*\n\s*/g, ' ').trim()
}
