import { t } from '#lib/contract/texts.ts'
import { paths } from '#lib/paths.ts'
import { acceptInvitation } from '#lib/stores/sign-in.ts'
import { checkStorage } from '#lib/stores/storage.ts'
import { ActionButton } from '../ui/Buttons.tsx'
import { ButtonLink } from '../ui/Button.tsx'

/** Asks first: WhatsApp and mail programs open links to show or check them. */
export function InvitationLogin({ token }: { token: string }) {
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
