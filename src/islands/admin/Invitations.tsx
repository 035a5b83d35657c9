import { useState } from 'react'
import { validateEmail } from '#lib/account/forms.ts'
import { STAFF_ROLES, staffLabel } from '#lib/admin/access.ts'
import { api } from '#lib/api.ts'
import type { Invited } from '#lib/contract/accounts.ts'
import { toWhatsAppLink } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import type { Staff } from '#lib/contract/names.ts'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDate } from '#lib/time.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { ConfirmButton, CopyButton, Failure, SubmitButton } from '../ui/Buttons.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EmailField } from '../ui/Field.tsx'
import { useLoad } from '../ui/hooks.ts'
import { useForm } from '../ui/use-form.ts'

/** The people who have not used their link yet, and a form for another one. */
export function Invitations() {
  const [isOpen, setIsOpen] = useState(false)
  const [invited, setInvited] = useState<SentInvitation>()
  const [open, reload] = useLoad('invitations', () => api('GET /admin/invitations'))
  const list = open.state === 'ready' ? open.value : []
  const close = () => {
    setIsOpen(false)
    setInvited(undefined)
    void reload()
  }
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3">
      <Button look="primary" label={t('Invite a helper')} onClick={() => setIsOpen(true)} />
      {list.map(({ id, email, staff, expiresAt }) => (
        <ConfirmButton
          key={id}
          label={t('Invited: {email}', { email })}
          title={t('Invitation of {email}', { email })}
          confirmLabel={t('Withdraw')}
          cancelLabel={t('Keep')}
          busyLabel={t('Withdrawing…')}
          onConfirm={async () => {
            const { message: title } = await api('DELETE /admin/invitations/{id}', {
              params: { id }
            })
            notify({ title, text: email })
            void reload()
          }}
        >
          {t(
            'The link for {role} works until {date}. If you withdraw it, it logs nobody in any ' +
              'more. To get a new link, invite the same address again.',
            { role: staffLabel(staff), date: formatDate(expiresAt) }
          )}
        </ConfirmButton>
      ))}
      <Dialog open={isOpen} onClose={close} title={t('Invite a helper')} shape="box">
        {isOpen && (
          <div className="max-h-[75vh] overflow-y-auto px-4 pb-4">
            {invited ? (
              <InvitationLink {...invited} onDone={close} />
            ) : (
              <InvitationForm onInvited={setInvited} />
            )}
          </div>
        )}
      </Dialog>
    </div>
  )
}

type SentInvitation = Invited & { email: string }

function InvitationForm({ onInvited }: { onInvited: (invited: SentInvitation) => void }) {
  const [staff, setStaff] = useState<Staff>('kitchen')
  const { form, field, failure, busy } = useForm<'email'>({
    names: ['email'],
    check: ({ email }) => validateEmail(email),
    send: async ({ email }) => {
      const invited = await api('POST /admin/invitations', { body: { email, staff } })
      onInvited({ ...invited, email })
    },
    errorText: { title: t('Nobody was invited.') }
  })
  return (
    <form {...form} aria-label={t('Invite a helper')} className="grid gap-4">
      <EmailField state={field('email')} autoComplete="off" maxLength={ACCOUNT_LIMITS.email} />
      <RoleChoice
        legend={t('Role')}
        chosen={staff}
        onChoose={role => role && setStaff(role)}
        isNew
      />
      <Failure failure={failure} busy={busy} />
      <SubmitButton label={t('Invite')} busyLabel={t('Inviting…')} busy={busy} />
    </form>
  )
}

interface InvitationLinkProps extends SentInvitation {
  onDone: () => void
}

function InvitationLink({ email, link, expiresAt, mailed, message, onDone }: InvitationLinkProps) {
  return (
    <div className="grid gap-4">
      <p role="status" className="[overflow-wrap:anywhere]">
        {t(
          mailed
            ? 'We’re emailing a link to {email}. You can also send it yourself.'
            : 'Your shop can’t send emails yet. Send this link to {email} yourself.',
          { email }
        )}
      </p>
      <input
        readOnly
        aria-label={t('Link')}
        className="field"
        value={link}
        onFocus={({ target }) => target.select()}
      />
      <p className="text-sm text-ink/80">
        {t('It logs in once as {email}, until {date}.', { email, date: formatDate(expiresAt) })}
      </p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink
          look="primary"
          label={t('Send by WhatsApp')}
          href={toWhatsAppLink(undefined, message)}
          target="_blank"
          rel="noopener"
        />
        <CopyButton text={link} name={t('link')} />
        <Button look="link" label={t('Done')} onClick={onDone} />
      </div>
    </div>
  )
}

interface RoleChoiceProps {
  legend: string
  chosen: Staff | null
  onChoose: (staff: Staff | null) => void
  isNew?: boolean
}

export function RoleChoice({ legend, chosen, onChoose, isNew = false }: RoleChoiceProps) {
  return (
    <fieldset>
      <legend className={isNew ? 'font-semibold' : 'sr-only'}>{legend}</legend>
      {STAFF_ROLES.filter(({ staff }) => !isNew || staff !== null).map(role => (
        <label key={role.label} className="flex min-h-target cursor-pointer items-start gap-3 py-2">
          <input
            type="radio"
            name="role"
            className="mt-1 size-5 shrink-0 accent-chilli"
            checked={chosen === role.staff}
            onChange={() => onChoose(role.staff)}
          />
          <span>
            <b className="block">{t(role.label)}</b>
            <span className="block text-sm text-ink/80">{t(role.text)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
