/** For who looks into the browser's console: what went wrong and is not worth a word to the shopper. */
export function logFailure(what: string, error: unknown): void {
  console.warn(what, error)
}
