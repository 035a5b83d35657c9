type DraftName =
  'notice' | 'login' | 'profile' | 'sent-code' | 'checkout' | 'checkout-key' | 'paying' | 'product' | 'post' | 'deal'

const PERSONAL_DRAFTS: readonly DraftName[] = [
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

export function saveDraft(name: DraftName, draft: object | undefined): void {
  try {
    if (draft) sessionStorage.setItem(name, JSON.stringify(draft))
    else sessionStorage.removeItem(name)
  } catch {
    return
  }
}

export function readDraft<Draft extends object>(name: DraftName): Partial<Record<keyof Draft, unknown>> | undefined {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null')
    return typeof draft === 'object' && draft !== null ? draft : undefined
  } catch {
    return undefined
  }
}

export function clearDrafts(): void {
  for (const name of PERSONAL_DRAFTS) saveDraft(name, undefined)
}
