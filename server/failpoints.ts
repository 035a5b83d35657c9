/** Where a crash is most telling: fault tests kill the process there. */
export const FAILPOINTS = [
  't1-precommit',
  'before-provider',
  'after-provider',
  'after-bind',
  'fin-precommit',
  'exp-precommit',
  'wh-stored',
  'after-refund'
] as const
export type Failpoint = (typeof FAILPOINTS)[number]
/** The same of a restore. */
export const RESTORE_POINTS = ['restore-pictures', 'restore-precommit'] as const
type AnyPoint = Failpoint | (typeof RESTORE_POINTS)[number]

const ALL: readonly AnyPoint[] = [...FAILPOINTS, ...RESTORE_POINTS]

let armed: AnyPoint | undefined
let passes = 0

/** Arms what FAILPOINT says: `fin-precommit`, or `fin-precommit:5` for the fifth time. Throws for a point there is not. */
export function armFailpoint(setting: string | undefined): void {
  if (!setting) return
  const [name, count = '1'] = setting.split(':')
  armed = ALL.find(point => point === name)
  passes = Number(count)
  if (!armed || !Number.isSafeInteger(passes)) throw new Error(`FAILPOINT must be one of ${ALL.join(', ')}`)
}

/** Ends the process as a power cut would, if it is armed for this point. */
export function failpoint(point: AnyPoint): void {
  if (armed === point && --passes <= 0) process.kill(process.pid, 'SIGKILL')
}
