import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { toProblems, validateEmail, validateNewPassword } from '#lib/account/forms.ts'
import { saveFile } from '#lib/browser.ts'
import {
  changeEmail,
  changePassword,
  chooseLanguage,
  deleteAccount,
  type EmailChange as EmailChangeRequested,
  logOutEverywhere,
  readEmailChange,
  readMyData,
  requestEmailChange,
  stopEmailChange
} from '#lib/stores/account.ts'
import { $user } from '#lib/stores/session.ts'
import { ACCOUNT_LIMITS, LANGUAGE_CODES, LANGUAGES } from '#lib/constants.ts'
import { t, texts } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { ActionButton, Failure, SubmitButton } from '../ui/Buttons.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { Field, PasswordField } from '../ui/Field.tsx'
import { type Account, useVerifiedForm } from './Verification.tsx'
import { Button } from '../ui/Button.tsx'
import { useAttempt } from '../ui/hooks.ts'
import { CodeField, CodeSentTo, useCodeForm } from './CodeForm.tsx'

export function Security({ account }: { account: Account }) {
  const passwordTitle = t(account.hasPassword ? 'Change password' : 'Set a password')
  return (
    <section aria-labelledby="security" className="card mt-6 p-5 pb-0 sm:p-8 sm:pb-2">
      <h2 id="security" className="pb-4 text-xl">
        {t('Security and your data')}
      </h2>
      <Disclosure id="email" title={t('Change email address')}>
        {close => <EmailChange account={account} onDone={close} />}
      </Disclosure>
      <Disclosure id="password" title={passwordTitle}>
        {close => <PasswordForm account={account} title={passwordTitle} onDone={close} />}
      </Disclosure>
      <Disclosure title={t('Log out on all devices')}>
        {() => (
          <ActionButton
            label={t('Log out everywhere')}
            busyLabel={t('Logging out…')}
            errorTitle={t('Failed to log out on all devices.')}
            action={logOutEverywhere}
          >
            {t(
              'Use this if you lost a phone or left yourself logged in somewhere. ' +
                'You will be logged out here too.'
            )}
          </ActionButton>
        )}
      </Disclosure>
      <Disclosure title={t('Download my data')}>
        {() => (
          <ActionButton
            label={t('Download')}
            busyLabel={t('Downloading…')}
            errorTitle={t('Failed to download your data.')}
            action={download}
          >
            {t(
              'A file (JSON) with everything we store about you: ' +
                'your details, logins, orders and messages.'
            )}
          </ActionButton>
        )}
      </Disclosure>
      <Disclosure title={t('Delete my account')}>
        {() => <DeleteAccount account={account} />}
      </Disclosure>
    </section>
  )
}

type FormProps = { account: Account; onDone: () => void }

function PasswordForm({ account, title, onDone }: FormProps & { title: string }) {
  // Soon after the login with a link or code, the first password needs no other.
  const [asks, setAsks] = useState(account.hasPassword)
  const { form, field, failure, busy, verification } = useVerifiedForm({
    account,
    names: ['password'],
    asks,
    check: ({ password }) => toProblems({ password: validateNewPassword(password) }),
    send: async ({ password }, proof) => {
      try {
        await changePassword({ password, ...(asks && { proof }) })
      } catch (error) {
        if (error instanceof ShopError && error.code === 'VERIFICATION_REQUIRED') setAsks(true)
        throw error
      }
      onDone()
    },
    errorText: { title: t('Failed to change the password.') }
  })

  return (
    <form {...form} className="grid gap-5" aria-label={title}>
      <p>{t('You stay logged in here and will be logged out on all other devices.')}</p>
      {/* Password managers read the account's name from this hidden input. */}
      <input type="email" autoComplete="username" value={account.email} readOnly hidden />
      <PasswordField state={field('password')} label={t('New password')} isNew />
      {asks && verification}
      <Failure failure={failure} busy={busy} />
      <SubmitButton label={t('Save password')} busyLabel={t('Saving…')} busy={busy} secondary />
    </form>
  )
}

function DeleteAccount({ account }: { account: Account }) {
  const { form, failure, busy, verification } = useVerifiedForm({
    account,
    send: (_, proof) => deleteAccount(proof),
    errorText: { title: t('Failed to delete the account.') }
  })

  return (
    <form {...form} className="grid gap-5" aria-label={t('Delete my account')}>
      <div className="grid gap-2">
        <p>
          {t(
            'We delete your name, email, phone number, address and password right away ' +
              'and log you out on all devices. This can’t be undone.'
          )}
        </p>
        <p>
          {t(
            'We must keep past orders for tax, but without your name or address. Messages that ' +
              'you sent us through the contact form are deleted too if your email address is ' +
              'verified, otherwise after 12 months.'
          )}
        </p>
      </div>
      {verification}
      <Failure failure={failure} busy={busy} />
      <SubmitButton
        label={t('Delete my account')}
        busyLabel={t('Deleting…')}
        busy={busy}
        secondary
      />
    </form>
  )
}

async function download() {
  const data = JSON.stringify(await readMyData(), null, 2)
  saveFile(new Blob([data], { type: 'application/json' }), 'my-data.json')
}

const ERROR_TEXT = texts({ title: 'Failed to change the email address.' })

function EmailChange({ account, onDone }: FormProps) {
  const [change, setChange] = useState(readEmailChange)
  const restart = () => {
    stopEmailChange()
    setChange(undefined)
  }
  return change === undefined ? (
    <NewEmailForm account={account} onSent={setChange} onDone={onDone} />
  ) : (
    <NewEmailCodeForm change={change} onRestart={restart} onDone={onDone} />
  )
}

type NewEmailFormProps = FormProps & { onSent: (change: EmailChangeRequested) => void }

function NewEmailForm({ account, onSent, onDone }: NewEmailFormProps) {
  const { form, field, failure, busy, verification } = useVerifiedForm({
    account,
    names: ['email'],
    check: ({ email }) => validateEmail(email),
    send: async (values, proof) => {
      const change = await requestEmailChange({ email: values.email, proof })
      if (change) onSent(change)
      else onDone()
    },
    errorText: ERROR_TEXT
  })

  return (
    <form {...form} className="grid gap-5" aria-label={t('Change email address')}>
      <p>
        {t(
          'If the shop can send emails, we’ll send a code to the new address. ' +
            'You stay logged in here and will be logged out on all other devices.'
        )}
      </p>
      <Field
        state={field('email')}
        label={t('New email address')}
        type="email"
        autoComplete="off"
        maxLength={ACCOUNT_LIMITS.email}
      />
      {verification}
      <Failure failure={failure} busy={busy} />
      <SubmitButton label={t('Continue')} busyLabel={t('Sending…')} busy={busy} secondary />
    </form>
  )
}

function NewEmailCodeForm({
  change: { email, sent },
  onRestart,
  onDone
}: Record<'onRestart' | 'onDone', () => void> & { change: EmailChangeRequested }) {
  const { form, field, failure, busy } = useCodeForm(async otp => {
    await changeEmail({ email, otp })
    onDone()
  }, ERROR_TEXT)

  return (
    <form {...form} className="grid gap-5" aria-label={t('Enter the code')}>
      <p>
        <CodeSentTo email={email} sent={sent} />
      </p>
      <CodeField state={field('otp')} />
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton
          label={t('Change email address')}
          busyLabel={t('Saving…')}
          busy={busy}
          secondary
        />
        <Button label={t('Start again')} onClick={onRestart} />
      </div>
    </form>
  )
}

export function LanguageChoice() {
  const chosen = useStore($user)?.language
  const { busy, failure, run } = useAttempt({ title: MESSAGES.profileNotSaved })
  return (
    <section aria-labelledby="language" className="card mt-6 grid gap-4 p-5 sm:p-8">
      <h2 id="language" className="text-xl">
        {t('Language')}
      </h2>
      <div className="flex flex-wrap gap-3">
        {LANGUAGE_CODES.map(code => (
          <Button
            key={code}
            look={code === chosen ? 'primary' : 'quiet'}
            label={LANGUAGES[code].name}
            lang={LANGUAGES[code].locale}
            aria-pressed={code === chosen}
            busy={busy}
            onClick={() => void run(() => chooseLanguage(code))}
          />
        ))}
      </div>
      {failure && <Failure failure={failure} />}
    </section>
  )
}
