import { useEffect, useState, type InputEvent, type RefObject } from 'react'
import { keepDraft, readDraft } from '#lib/stores/drafts.ts'
import { restoreSentCode } from '#lib/stores/sent-code.ts'

export type LoginTab = 'login' | 'register'

interface Draft {
  tab: LoginTab
  email: string
  displayName: string
}

/** Which tab is open, and what was typed in either: kept for a reload, passwords never. */
export function useLoginDraft(page: RefObject<HTMLElement | null>) {
  const [tab, setTab] = useState<LoginTab>('login')

  useEffect(() => {
    restoreSentCode()
    const draft = readDraft<Draft>('login')
    if (draft?.tab === 'register') setTab('register')
    fill(page, 'email', draft?.email)
    fill(page, 'displayName', draft?.displayName)
  }, [])

  const save = (open: LoginTab) => {
    const [email = '', displayName = ''] = [`#panel-${open} [name=email]`, '[name=displayName]'].map(
      selector => page.current?.querySelector<HTMLInputElement>(selector)?.value
    )
    keepDraft('login', { tab: open, email, displayName } satisfies Draft)
    return email
  }

  return {
    tab,
    keep: ({ target }: InputEvent) => {
      if (target instanceof HTMLInputElement && /^(email|displayName)$/.test(target.name)) save(tab)
    },
    /** The address is the same in both. */
    choose: (next: LoginTab) => {
      fill(page, 'email', save(tab), true)
      setTab(next)
      keepDraft('login', { ...readDraft<Draft>('login'), tab: next })
    }
  }
}

/** Puts a text into every field of a name; what was typed before stays, unless it is to be replaced. */
function fill(page: RefObject<HTMLElement | null>, name: string, text: unknown, replace = false): void {
  if (typeof text !== 'string' || text === '') return
  for (const field of page.current?.querySelectorAll<HTMLInputElement>(`[name=${name}]`) ?? []) {
    if (replace || field.value === '') field.value = text
  }
}
