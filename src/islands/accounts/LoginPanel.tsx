import { useStore } from '@nanostores/react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { $loginCode, showPasswordForm } from '#lib/stores/login-code.ts'
import { CodeForm } from './CodeForm.tsx'
import { LoginForm } from './LoginForm.tsx'

// The password form stays mounted, so that it keeps its input while the code is entered.
export function LoginPanel() {
  const sent = useStore($loginCode)
  const panel = useRef<HTMLDivElement>(null)
  const entering = sent?.entering === true

  const focus = (name: string) => {
    const field = panel.current?.querySelector<HTMLInputElement>(`[name=${name}]`)
    field?.focus()
    field?.select()
  }
  const back = (to: 'password' | 'email') => {
    flushSync(showPasswordForm)
    focus(to)
  }

  return (
    <div ref={panel}>
      <div hidden={entering}>
        <LoginForm onCodeSent={() => focus('otp')} />
      </div>
      {entering && (
        <CodeForm
          sent={sent}
          name="Login with a code"
          submitLabel="Verify & Login"
          backLabel="Back to Password Login"
          onBack={() => back('password')}
          onChangeEmail={() => back('email')}
          onResent={() => focus('otp')}
        />
      )}
    </div>
  )
}
