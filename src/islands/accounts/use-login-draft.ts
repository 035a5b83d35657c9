import { useEffect, useState, type InputEvent, type RefObject } from 'react'
import { saveDraft, readDraft } from '#lib/stores/drafts.ts'
import { restoreLoginCode } from '#lib/stores/login-code.ts'

export type LoginTab = 'login' | 'register'

interface Draft {
  tab: LoginTab
  email: string
  displayName: string
}

/** Saves the open tab, name and email for a reload; never the password. */
export function useLoginDraft(page: RefObject<HTMLElement | null>) {
  const [tab, setTab] = useState<LoginTab>('login')

  useEffect(() => {
    restoreLoginCode()
    const draft = readDraft<Draft>('login')
    if (draft?.tab === 'register') setTab('register')
    fill(page, 'email', draft?.email)
    fill(page, 'displayName', draft?.displayName)
  }, [])

  const saveTab = (open: LoginTab) => {
    const [email = '', displayName = ''] = [`#panel-${open} [name=email]`, '[name=displayName]'].map(
      selector => page.current?.querySelector<HTMLInputElement>(selector)?.value
    )
    saveDraft('login', { tab: open, email, displayName } satisfies Draft)
    return email
  }

  return {
    tab,
    save: ({ target }: InputEvent) => {
      if (target instanceof HTMLInputElement && /^(email|displayName)$/.test(target.name)) saveTab(tab)
    },
    /** Copies the email to the other tab. */
    choose: (next: LoginTab) => {
      fill(page, 'email', saveTab(tab), true)
      setTab(next)
      saveDraft('login', { ...readDraft<Draft>('login'), tab: next })
    }
  }
}

function fill(page: RefObject<HTMLElement | null>, name: string, text: unknown, replace = false): void {
  if (typeof text !== 'string' || text === '') return
  for (const field of page.current?.querySelectorAll<HTMLInputElement>(`[name=${name}]`) ?? []) {
    if (replace || field.value === '') field.value = text
  }
}
