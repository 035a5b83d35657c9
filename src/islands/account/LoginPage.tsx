import { useRef } from 'react'
import { MESSAGES } from '#lib/messages.ts'
import { Tabs } from '../ui/Tabs.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'
import { LoginPanel } from './LoginPanel.tsx'
import { RegisterForm } from './RegisterForm.tsx'
import { useLoginDraft } from './use-login-draft.ts'
import { useSession } from './use-session.ts'
import { useReturnPath } from './use-return-path.ts'

export function LoginPage() {
  const session = useSession()
  const hydrated = useHydrated()
  const page = useRef<HTMLDivElement>(null)
  const { tab, selectTab, saveInput } = useLoginDraft(page)
  const returnPath = useReturnPath(session.state === 'authenticated')
  const showForms = session.state === 'anonymous' || !hydrated

  return (
    <div ref={page} className="mx-auto max-w-md" onInput={saveInput}>
      <h1 className="py-6 text-2xl sm:text-3xl">Your Account</h1>
      <div role="status">
        {session.state === 'authenticated' && (
          <p>
            You are logged in.{' '}
            <a href={returnPath} className="link">
              Continue
            </a>
          </p>
        )}
        {session.state === 'loading' && hydrated && MESSAGES.profileLoading}
      </div>
      <div className="card p-5 sm:p-8" hidden={!showForms}>
        <Tabs
          label="Login or register"
          selected={tab}
          onSelect={selectTab}
          tabs={[
            { id: 'login', label: 'Login', panel: <LoginPanel /> },
            { id: 'register', label: 'Register', panel: <RegisterForm /> }
          ]}
        />
      </div>
      <noscript>
        <p className="py-4">Please turn on JavaScript to log in.</p>
      </noscript>
    </div>
  )
}
