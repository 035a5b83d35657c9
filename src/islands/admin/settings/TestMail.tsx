import { useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { readStatus } from '#lib/stores/status.ts'
import { sendTestMail } from '#lib/stores/admin/settings.ts'
import { ActionButton } from '../../ui/Buttons.tsx'
import { useLoad } from '../../ui/hooks.ts'

export function TestMail() {
  const [status] = useLoad('status', readStatus)
  const [result, setResult] = useState('')
  const send = async () => {
    setResult('')
    setResult(await sendTestMail())
  }
  return (
    <section aria-labelledby="test-mail" className="card grid gap-3 p-4 sm:p-6">
      <h3 id="test-mail" className="text-lg">
        Test mail
      </h3>
      {status.state === 'ready' && (
        <p>{status.value.mailNotSetUp ? ADMIN_MESSAGES.mailToFolder : ADMIN_MESSAGES.mailToServer}</p>
      )}
      <ActionButton
        label="Send test mail"
        busyLabel="Sending…"
        errorTitle={ADMIN_MESSAGES.testMailFailed}
        action={send}
      >
        It goes to your own address. Save the sender first.
      </ActionButton>
      <p role="status" className="break-words font-semibold empty:hidden">
        {result}
      </p>
    </section>
  )
}
