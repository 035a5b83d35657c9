import { useEffect, useState, type InputEvent, type RefObject } from 'react'
import { readDraft, saveDraft } from '#lib/browser.ts'
import { findReturnPath, paths, toLoginPath } from '#lib/paths.ts'
import { restoreLoginCode } from '#lib/stores/sign-in.ts'
import { useHydrated } from '../ui/hooks.ts'

type LoginTab = 'login' | 'register'

interface Draft {
  tab: LoginTab
  email: string
  displayName: string
}

/** Saves tab, name and email address, never the password, and restores them after a reload. */
export function useLoginDraft(page: RefObject<HTMLElement | null>) {
  const [tab, setTab] = useState<LoginTab>('login')

  useEffect(() => {
    restoreLoginCode()
    const draft = readDraft<Draft>('login')
    if (draft?.tab === 'register') setTab('register')
    fill(page, 'email', draft?.email)
    fill(page, 'displayName', draft?.displayName)
  }, [])

  const valueOf = (selector: string): string =>
    page.current?.querySelector<HTMLInputElement>(selector)?.value ?? ''
  // Both tabs have a field for the email address.
  const typedEmail = (): string => valueOf(`#panel-${tab} [name=email]`)
  const save = (openTab: LoginTab, email: string) =>
    saveDraft('login', {
      tab: openTab,
      email,
      displayName: valueOf('[name=displayName]')
    } satisfies Draft)

  return {
    tab,
    saveInput: ({ target }: InputEvent) => {
      if (target instanceof HTMLInputElement && /^(email|displayName)$/.test(target.name))
        save(tab, typedEmail())
    },
    selectTab: (next: LoginTab) => {
      const email = typedEmail()
      fill(page, 'email', email, { overwrite: true })
      setTab(next)
      save(next, email)
    }
  }
}

function fill(
  page: RefObject<HTMLElement | null>,
  name: string,
  text: unknown,
  { overwrite = false } = {}
): void {
  if (typeof text !== 'string' || text === '') return
  for (const field of page.current?.querySelectorAll<HTMLInputElement>(`[name=${name}]`) ?? []) {
    if (overwrite || field.value === '') field.value = text
  }
}

export function useReturnPath(loggedIn: boolean): string {
  const hydrated = useHydrated()
  const path = hydrated
    ? findReturnPath(location.search, document.referrer, location.origin)
    : paths.home

  // Keep the path in the URL, because phones may discard the tab while the shopper reads the mail
  // with the code.
  useEffect(() => {
    if (hydrated) history.replaceState(history.state, '', toLoginPath(path))
  }, [hydrated, path])

  useEffect(() => {
    if (!loggedIn) return
    saveDraft('login', undefined)
    location.replace(path)
  }, [loggedIn, path])

  return path
}
