type DraftName =
  'notice' | 'login' | 'profile' | 'sent-code' | 'checkout' | 'checkout-key' | 'paying' | 'product' | 'post' | 'deal'

const PERSONAL: readonly DraftName[] = [
  'login',
  'profile',
  'sent-code',
  'checkout',
  'checkout-key',
  'paying',
  'product',
  'post',
  'deal'
]

/** Keeps what was typed. A browser that keeps nothing for this site only loses it. */
export function keepDraft(name: DraftName, draft: object | undefined): void {
  try {
    if (draft) sessionStorage.setItem(name, JSON.stringify(draft))
    else sessionStorage.removeItem(name)
  } catch {
    return
  }
}

/** What was kept under a name; its fields are whatever somebody has put there. */
export function readDraft<Draft extends object>(name: DraftName): Partial<Record<keyof Draft, unknown>> | undefined {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null')
    return typeof draft === 'object' && draft !== null ? draft : undefined
  } catch {
    return undefined
  }
}

/** Removes what tells something about who was here. */
export function forgetDrafts(): void {
  for (const name of PERSONAL) keepDraft(name, undefined)
}
