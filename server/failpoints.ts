export const FAILPOINTS = [
  'reserve-precommit',
  'before-provider',
  'after-provider',
  'provider-order-saved',
  'settle-precommit',
  'release-precommit',
  'webhook-stored',
  'after-refund'
] as const
export type Failpoint = (typeof FAILPOINTS)[number]
export const RESTORE_POINTS = ['restore-pictures', 'restore-precommit'] as const
type AnyPoint = Failpoint | (typeof RESTORE_POINTS)[number]

const ALL: readonly AnyPoint[] = [...FAILPOINTS, ...RESTORE_POINTS]

let armed: AnyPoint | undefined
let remaining = 0

/** `setting` is `settle-precommit`, or `settle-precommit:5` to stop at the fifth pass. */
export function armFailpoint(setting: string | undefined): void {
  if (!setting) return
  const [name, count = '1'] = setting.split(':')
  armed = ALL.find(point => point === name)
  remaining = Number(count)
  if (!armed || !Number.isSafeInteger(remaining)) throw new Error(`FAILPOINT must be one of ${ALL.join(', ')}`)
}

export function failpoint(point: AnyPoint): void {
  if (armed === point && --remaining <= 0) process.kill(process.pid, 'SIGKILL')
}
