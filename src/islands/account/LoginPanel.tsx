import { useStore } from '@nanostores/react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { $loginCode, showPasswordForm } from '#lib/stores/login-code.ts'
import { CodeForm } from './CodeForm.tsx'
import { LoginForm } from './LoginForm.tsx'

// The password form stays mounted, so that it keeps its input while the shopper enters a code.
export function LoginPanel() {
  const loginCode = useStore($loginCode)
  const panel = useRef<HTMLDivElement>(null)
  const enteringCode = loginCode?.entering === true

  const focus = (name: string) => {
    const field = panel.current?.querySelector<HTMLInputElement>(`[name=${name}]`)
    field?.focus()
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
