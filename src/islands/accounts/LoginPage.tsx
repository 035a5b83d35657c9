import { useRef } from 'react'
import { MESSAGES } from '#lib/messages.ts'
import { Tabs } from '../ui/Tabs.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'
import { LoginPanel } from './LoginPanel.tsx'
import { RegisterForm } from './RegisterForm.tsx'
import { useLoginDraft } from './use-login-draft.ts'
import { useSession } from './use-session.ts'
import { useWayBack } from './use-way-back.ts'

/** Login and register for visitors; everybody else is led on to where they came from. */
export function LoginPage() {
  const session = useSession()
  const hydrated = useHydrated()
  const page = useRef<HTMLDivElement>(null)
  const { tab, choose, keep } = useLoginDraft(page)
  const wayBack = useWayBack(session.state === 'authenticated')
  const asking = session.state === 'anonymous' || !hydrated

  return (
    <div ref={page} className="mx-auto max-w-md" onInput={keep}>
      <h1 className="py-6 text-2xl sm:text-3xl">Your Account</h1>
      <div role="status">
        {session.state === 'authenticated' && (
          <p>
            You are logged in.{' '}
            <a href={wayBack} className="link">
              Go on
            </a>
          </p>
        )}
        {session.state === 'loading' && hydrated && MESSAGES.profileLoading}
      </div>
      <div className="card p-5 sm:p-8" hidden={!asking}>
        <Tabs
          label="Login or register"
          chosen={tab}
          onChoose={choose}
          tabs={[
            { id: 'login', label: 'Login', panel: <LoginPanel /> },
            { id: 'register', label: 'Register', panel: <RegisterForm /> }
          ]}
        />
      </div>
      <noscript>
        <p className="py-4">Logging in needs JavaScript, which is switched off.</p>
      </noscript>
    </div>
  )
}
