import { type ReactNode, useState } from 'react'
import type { Typed } from '#lib/admin/fields.ts'
import { API_BASE, api } from '#lib/api.ts'
import { SAVED_SECRET } from '#lib/constants.ts'
import { t, text, texts } from '#lib/contract/texts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { $user } from '#lib/stores/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ActionButton, CopyButton } from '../../ui/Buttons.tsx'
import { FormField } from '../ui/FormField.tsx'
import type { RecordFormState } from '../ui/use-record-form.ts'
import { Card, LabelledSelect, Note } from '../ui/views.tsx'

const PROVIDERS = [
  {
    name: 'Gmail',
    server: 'smtp.gmail.com',
    port: '587',
    help: text(
      'User name: your Gmail address. Password: an app password. Turn on 2-Step Verification in ' +
        'your Google account first, then make one.'
    ),
    link: 'https://myaccount.google.com/apppasswords'
  },
  {
    name: 'Brevo',
    server: 'smtp-relay.brevo.com',
    port: '587',
    help: text(
      'Open “SMTP & API” in Brevo. The login is the user name, the SMTP key the password.'
    ),
    link: 'https://app.brevo.com/settings/keys/smtp'
  },
  {
    name: 'Amazon SES',
    server: 'email-smtp.ap-south-1.amazonaws.com',
    port: '587',
    help: text(
      'Press “Create SMTP credentials” in Amazon SES. This is the server in Mumbai: for another ' +
        'place, change its name.'
    ),
    link: 'https://ap-south-1.console.aws.amazon.com/ses/home#/smtp'
  },
  {
    name: 'Zoho Mail',
    server: 'smtp.zoho.in',
    port: '465',
    help: text(
      'User name: your Zoho address. Password: an app password, which you make under Security.'
    ),
    link: 'https://accounts.zoho.in/home#security/app_password'
  }
]
const OTHER = { server: '', port: '587' }
const PROVIDER_CHOICES = [
  ['', text('Choose your email provider')],
  ...PROVIDERS.map(({ name }) => [name, name] as const),
  ['other', text('Another mail server')]
] as const

export function MailProvider({ form: { typed, fill } }: { form: RecordFormState }) {
  const known = PROVIDERS.find(({ server }) => server === typed['server'])
  const [isOther, setOther] = useState(typed['server'] !== '')
  const choose = (choice: string) => {
    const { server, port } = PROVIDERS.find(({ name }) => name === choice) ?? OTHER
    setOther(choice === 'other')
    const email = $user.get()?.email ?? ''
    const isGmail = choice === 'Gmail' && typed['user'] === '' && /@gmail\.com$/i.test(email)
    fill({ server, port, ...(isGmail && { user: email }) })
  }
  return (
    <div>
      <LabelledSelect
        label={t('Provider')}
        value={known?.name ?? (isOther ? 'other' : '')}
        choices={PROVIDER_CHOICES}
        onType={choose}
      />
      {known && (
        <Note>
          {t(known.help)}{' '}
          <OutsideLink href={known.link}>{t('Open {name}', { name: known.name })}</OutsideLink>
        </Note>
      )}
    </div>
  )
}

function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="link block w-fit py-3">
      {children}
    </a>
  )
}

export function PaymentSteps() {
  return (
    <ol className="grid list-decimal gap-2 pl-6">
      <li>
        {t(
          'Open an account at Razorpay with your PAN card and bank account. It takes a day or two.'
        )}
        <OutsideLink href="https://dashboard.razorpay.com/signup">
          {t('Open {name}', { name: 'razorpay.com' })}
        </OutsideLink>
      </li>
      <li>
        {t(
          'Go to “Account & Settings”, then “API keys”, and press “Generate key”. Copy the key ' +
            'id and the key secret into the two fields below.'
        )}
      </li>
      <li>
        {t(
          'Go to “Webhooks” and press “Add new webhook”. Paste the web address and the webhook ' +
            'secret from below, tick all payment, refund and dispute events, and save.'
        )}
      </li>
    </ol>
  )
}

export function KeyMode({ typed }: { typed: Typed }) {
  const [, mode] = /^rzp_(test|live)_/.exec(String(typed['keyId'])) ?? []
  if (!mode) return null
  return (
    <p className="mt-1 font-semibold">
      {mode === 'test' ? MESSAGES.testMode : t('Live keys: customers pay real money.')}
    </p>
  )
}

function createSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

export function Webhook({ form }: { form: RecordFormState }) {
  const address = new URL(`${API_BASE}/payments/razorpay-webhook`, location.href).href
  const secret = String(form.typed['webhookSecret'])
  const isSaved = secret === SAVED_SECRET
  const change = (value: unknown) => form.change('webhookSecret', value)
  return (
    <div className="grid gap-4">
      <div>
        <p className="font-semibold">{t('Web address for the webhook')}</p>
        <p className="break-all">{address}</p>
        <CopyButton text={address} />
      </div>
      <div>
        <FormField
          spec={{
            kind: isSaved ? 'secret' : 'slug',
            name: 'webhookSecret',
            label: text('Webhook secret'),
            hint: isSaved ? '' : text('Made for you. Razorpay needs the same one.')
          }}
          path="webhookSecret"
          context={form}
          value={secret}
          onChange={change}
        />
        {isSaved || secret === '' ? (
          <Button
            look="link"
            label={t('Make a new secret')}
            onClick={() => change(createSecret())}
          />
        ) : (
          <CopyButton text={secret} name={t('webhook secret')} />
        )}
      </div>
    </div>
  )
}

const TESTS = texts({
  mail: {
    title: 'Test email',
    label: 'Send test email',
    busyLabel: 'Sending…',
    errorTitle: 'The test email could not be sent.',
    text: 'It goes to your own address, with what is saved.'
  },
  payments: {
    title: 'Test payments',
    label: 'Test the saved keys',
    busyLabel: 'Asking…',
    errorTitle: 'Payments don’t work.',
    text: 'No money moves.'
  }
})

export function ConnectionTest({ section }: { section: keyof typeof TESTS }) {
  const [result, setResult] = useState('')
  const { title, text, ...labels } = TESTS[section]
  const send = async () => {
    setResult('')
    setResult((await api(`POST /admin/settings/${section}/test`)).message)
  }
  return (
    <Card id="test" title={title} className="grid gap-3 p-4 sm:p-6">
      <ActionButton {...labels} action={send}>
        {text}
      </ActionButton>
      <p role="status" className="break-words font-semibold empty:hidden">
        {result}
      </p>
    </Card>
  )
}
