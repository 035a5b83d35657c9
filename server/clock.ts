/** The one clock of the server, in ms since the epoch; tests set their own. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** The instant as the database and the wire write it. */
export function isoNow(clock: Clock): string {
  return new Date(clock()).toISOString()
}
