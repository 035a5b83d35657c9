import { useStore } from '@nanostores/react'
import {
  type InputEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState
} from 'react'
import { flushSync } from 'react-dom'
import { focusInMiddle } from '#lib/browser.ts'
import { t, text } from '#lib/contract/texts.ts'
import { $user } from '#lib/stores/session.ts'
import {
  $loginCode,
  acceptInvitation,
  restoreLoginCode,
  showPasswordForm
} from '#lib/stores/sign-in.ts'
import { checkStorage, isKept, readDraft, saveDraft } from '#lib/stores/storage.ts'
import { findReturnPath, paths, toLoginPath } from '#lib/paths.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { ActionButton } from '../ui/Buttons.tsx'
import { StillWaiting } from '../ui/States.tsx'
import { useHydrated, useSession } from '../ui/hooks.ts'
import { CodeForm } from './CodeForm.tsx'
import { LoginForm, RegisterForm } from './LoginForms.tsx'
import { MESSAGES } from '#lib/messages.ts'

export function LoginPage() {
  const isHydrated = useHydrated()
  const [token] = useState(() => /^#invite=([\w-]+)$/.exec(globalThis.location?.hash ?? '')?.[1])
  return isHydrated && token !== undefined ? <InvitationLogin token={token} /> : <Login />
}

/** Asks first: WhatsApp and mail programs open links to show or check them. */
function InvitationLogin({ token }: { token: string }) {
  const accept = async () => {
    // The link works only once.
    if (!checkStorage()) return
    await acceptInvitation(token)
    location.replace(paths.admin)
  }
  return (
    <div className="mx-auto max-w-md">
      <h1 className="py-6 text-2xl sm:text-3xl">{t('Welcome')}</h1>
      <div className="card grid gap-4 p-5 sm:p-8">
        <ActionButton
          look="primary"
          label={t('Log in')}
          busyLabel={t('Logging in…')}
          errorTitle={t('You are not logged in.')}
          action={accept}
        >
          {t('You’re invited to help in this shop. You need no password.')}
        </ActionButton>
        <ButtonLink look="link" label={t('I have a password')} href={paths.login} />
      </div>
    </div>
  )
}

function Login() {
  const session = useSession()
  const hydrated = useHydrated()
  const page = useRef<HTMLDivElement>(null)
  const { tab, selectTab, saveInput } = useLoginDraft(page)
  const returnPath = useReturnPath(session.state === 'authenticated')
  const showForms = session.state === 'anonymous' || !hydrated
  const isChecking = session.state === 'loading' && hydrated

  return (
    <div ref={page} className="mx-auto max-w-md" onInput={saveInput}>
      <h1 className="py-6 text-2xl sm:text-3xl">{t('Your Account')}</h1>
      <div role="status">
        {session.state === 'authenticated' && (
          <p>
            {t(isKept('token') ? 'You are logged in.' : 'You are logged in on this page only.')}{' '}
            <a href={returnPath} className="link">
              {t('Continue')}
            </a>
          </p>
        )}
        {isChecking && MESSAGES.profileLoading}
      </div>
      {isChecking && <StillWaiting />}
      <div className="card p-5 sm:p-8" hidden={!showForms}>
        <Tabs selected={tab} onSelect={selectTab} />
      </div>
      <noscript>
        <p className="py-4">{t('Please turn on JavaScript to log in.')}</p>
      </noscript>
    </div>
  )
}

// Stays mounted, so that it keeps its input while the shopper enters a code.
function LoginPanel() {
  const loginCode = useStore($loginCode)
  const panel = useRef<HTMLDivElement>(null)
  const enteringCode = loginCode?.entering === true

  const focus = (name: string) => {
    const field = panel.current?.querySelector<HTMLInputElement>(`[name=${name}]`)
    focusInMiddle(field)
    field?.select()
  }
  const goBack = (fieldName: 'password' | 'email') => {
    flushSync(showPasswordForm)
    focus(fieldName)
  }

  return (
    <div ref={panel}>
      <div hidden={enteringCode}>
        <LoginForm onCodeSent={() => focus('otp')} />
      </div>
      {enteringCode && (
        <CodeForm
          loginCode={loginCode}
          formLabel={t('Login with a code')}
          submitLabel={t('Verify & Login')}
          backLabel={t('Back to Password Login')}
          onBack={() => goBack('password')}
          onChangeEmail={() => goBack('email')}
          onResent={() => focus('otp')}
        />
      )}
    </div>
  )
}

type LoginTab = 'login' | 'register'

/** Never saves the password. */
function useLoginDraft(page: RefObject<HTMLElement | null>) {
  const [tab, setTab] = useState<LoginTab>('login')

  useEffect(() => {
    restoreLoginCode()
    const draft = readDraft<{ tab: LoginTab; email: string; displayName: string }>('login')
    if (draft?.tab === 'register') setTab('register')
    fill(page, 'email', draft?.email)
    fill(page, 'displayName', draft?.displayName)
  }, [])

  const valueOf = (selector: string) =>
    page.current?.querySelector<HTMLInputElement>(selector)?.value ?? ''
  const typedEmail = () => valueOf(`#panel-${tab} [name=email]`)
  const save = (openTab: LoginTab, email: string) =>
    saveDraft('login', { tab: openTab, email, displayName: valueOf('[name=displayName]') })

  return {
    tab,
    saveInput: ({ target }: InputEvent) => {
      if (target instanceof HTMLInputElement && /^(email|displayName)$/.test(target.name))
        save(tab, typedEmail())
    },
    selectTab: (next: LoginTab) => {
      const email = typedEmail()
      fill(page, 'email', email, true)
      setTab(next)
      save(next, email)
    }
  }
}

function fill(page: RefObject<HTMLElement | null>, name: string, text: unknown, overwrite = false) {
  if (typeof text !== 'string' || text === '') return
  for (const field of page.current?.querySelectorAll<HTMLInputElement>(`[name=${name}]`) ?? []) {
    if (overwrite || field.value === '') field.value = text
  }
}

function useReturnPath(loggedIn: boolean) {
  const hydrated = useHydrated()
  const path = hydrated
    ? findReturnPath(location.search, document.referrer, location.origin)
    : paths.home

  // Phones may discard the tab while the shopper reads the mail with the code.
  useEffect(() => {
    if (hydrated) history.replaceState(history.state, '', toLoginPath(path))
  }, [hydrated, path])

  useEffect(() => {
    // The next page would ask to log in again.
    if (!loggedIn || !isKept('token')) return
    saveDraft('login', undefined)
    void findFirstPage(path).then(first => location.replace(first))
  }, [loggedIn, path])

  return path
}

/** Owners of a shop that is not set up yet go on with the checklist. */
async function findFirstPage(path: string) {
  if (path !== paths.home || $user.get()?.staff !== 'owner') return path
  const { $setup, loadSetup } = await import('#lib/stores/admin/overview.ts')
  await loadSetup().catch(() => undefined)
  const isMissing = $setup.get()?.rows.some(({ missing }) => missing.length > 0)
  return isMissing ? `${paths.admin}#setup` : path
}

const TABS = [
  { id: 'login', label: text('Login'), Panel: LoginPanel },
  { id: 'register', label: text('Register'), Panel: RegisterForm }
] as const

interface TabsProps {
  selected: LoginTab
  onSelect: (id: LoginTab) => void
}

function Tabs({ selected, onSelect }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)

  const onKeyDown = (event: KeyboardEvent) => {
    const other = selected === 'login' ? 'register' : 'login'
    const keys: Partial<Record<string, LoginTab>> = {
      ArrowRight: other,
      ArrowLeft: other,
      Home: 'login',
      End: 'register'
    }
    const next = keys[event.key]
    if (!next) return
    event.preventDefault()
    onSelect(next)
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }

  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={t('Login or register')}
        onKeyDown={onKeyDown}
        className="flex flex-wrap"
      >
        {TABS.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === selected}
            aria-controls={`panel-${id}`}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
            className="min-h-12 flex-1 border-b-4 px-2 text-center border-transparent font-semibold text-ink/70 hover:text-chilli aria-selected:border-turmeric aria-selected:text-chilli"
          >
            {t(label)}
          </button>
        ))}
      </div>
      {TABS.map(({ id, Panel }) => (
        <div
          key={id}
          role="tabpanel"
          id={`panel-${id}`}
          aria-labelledby={`tab-${id}`}
          hidden={id !== selected}
          className="pt-6"
        >
          <Panel />
        </div>
      ))}
    </>
  )
}
