import { useStore } from '@nanostores/react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { $sentCode, leaveCode } from '#lib/stores/sent-code.ts'
import { CodeForm } from './CodeForm.tsx'
import { LoginForm } from './LoginForm.tsx'

/** Login by password, or in code mode, once a code was sent, by that. What was typed for the one waits behind the other. */
export function LoginPanel() {
  const sent = useStore($sentCode)
  const panel = useRef<HTMLDivElement>(null)
  const entering = sent?.entering === true

  const focus = (name: string) => {
    const field = panel.current?.querySelector<HTMLInputElement>(`[name=${name}]`)
    field?.focus()
    field?.select()
  }
  const back = (to: 'password' | 'email') => {
    flushSync(leaveCode)
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
          submit="Verify & Login"
          back="Back to Password Login"
          onBack={() => back('password')}
          onChangeEmail={() => back('email')}
          onSentAgain={() => focus('otp')}
        />
      )}
    </div>
  )
}
