import { useStore } from '@nanostores/react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { focusInMiddle } from '#lib/browser.ts'
import { ACCOUNT_MESSAGES } from '#lib/account/messages.ts'
import { $loginCode, showPasswordForm } from '#lib/stores/sign-in.ts'
import { StillWaiting } from '../ui/Loading.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { useHydrated } from '../ui/hooks.ts'
import { CodeForm } from './CodeForm.tsx'
import { LoginForm, RegisterForm } from './LoginForms.tsx'
import { useLoginDraft, useReturnPath } from './login-draft.ts'
import { useSession } from './use-session.ts'

export function LoginPage() {
  const session = useSession()
  const hydrated = useHydrated()
  const page = useRef<HTMLDivElement>(null)
  const { tab, selectTab, saveInput } = useLoginDraft(page)
  const returnPath = useReturnPath(session.state === 'authenticated')
  const showForms = session.state === 'anonymous' || !hydrated
  const isChecking = session.state === 'loading' && hydrated

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
        {isChecking && ACCOUNT_MESSAGES.profileLoading}
      </div>
      {isChecking && <StillWaiting />}
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

// The password form stays mounted, so that it keeps its input while the shopper enters a code.
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
          formLabel="Login with a code"
          submitLabel="Verify & Login"
          backLabel="Back to Password Login"
          onBack={() => goBack('password')}
          onChangeEmail={() => goBack('email')}
          onResent={() => focus('otp')}
        />
      )}
    </div>
  )
}
