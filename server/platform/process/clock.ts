/** Returns milliseconds since the epoch. Tests inject their own clock. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

export function isoNow(clock: Clock): string {
  return new Date(clock()).toISOString()
}
