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
type AnyFailpoint = Failpoint | (typeof RESTORE_POINTS)[number]

const ALL: readonly AnyFailpoint[] = [...FAILPOINTS, ...RESTORE_POINTS]

let armed: AnyFailpoint | undefined
let remaining = 0

/** `settle-precommit` kills the process at that failpoint, `settle-precommit:5` at its fifth call. */
export function armFailpoint(setting: string | undefined): void {
  if (!setting) return
  const [name, count = '1'] = setting.split(':')
  armed = ALL.find(point => point === name)
  remaining = Number(count)
  if (!armed || !Number.isSafeInteger(remaining)) throw new Error(`FAILPOINT must be one of ${ALL.join(', ')}`)
}

export function reachFailpoint(point: AnyFailpoint): void {
  if (armed === point && --remaining <= 0) process.kill(process.pid, 'SIGKILL')
}
