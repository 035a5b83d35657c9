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

let armedFailpoint: AnyFailpoint | undefined
let remainingCalls = 0

/** `settle-precommit:5` kills the process there when reached a fifth time. */
export function armFailpoint(setting: string | undefined): void {
  if (!setting) return
  const [name, count = '1'] = setting.split(':')
  armedFailpoint = ALL.find(point => point === name)
  remainingCalls = Number(count)
  if (!armedFailpoint || !Number.isSafeInteger(remainingCalls))
    throw new Error(`FAILPOINT must be one of ${ALL.join(', ')}`)
}

export function reachFailpoint(point: AnyFailpoint): void {
  if (armedFailpoint === point && --remainingCalls <= 0) process.kill(process.pid, 'SIGKILL')
}
