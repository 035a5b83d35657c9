export function logFailure(message: string, error: unknown): void {
  console.warn(message, error)
}
