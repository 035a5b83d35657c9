import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { readStatus } from '#lib/stores/status.ts'
import { sendTestMail } from '#lib/stores/admin/settings.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ActionButton } from '../../ui/Buttons.tsx'
import { useLoad } from '../../ui/hooks.ts'

export function TestMail() {
  const [status] = useLoad('status', readStatus)
  const send = async () => {
    notify({ title: 'Test mail sent', text: await sendTestMail() })
  }
  return (
    <section aria-labelledby="test-mail" className="card grid gap-3 p-4 sm:p-6">
      <h3 id="test-mail" className="text-lg">
        Test mail
      </h3>
      {status.state === 'ready' && (
        <p className="font-semibold">
          {status.value.mailNotSetUp ? ADMIN_MESSAGES.mailToFolder : ADMIN_MESSAGES.mailToServer}
        </p>
      )}
      <ActionButton
        label="Send test mail"
        busyLabel="Sending…"
        errorTitle={ADMIN_MESSAGES.testMailFailed}
        action={send}
      >
        It goes to your own address, from the sender that is saved.
      </ActionButton>
    </section>
  )
}
