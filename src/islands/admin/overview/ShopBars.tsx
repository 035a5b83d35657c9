import { useStore } from '@nanostores/react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { GAPS, SETUP_PATH, setupText } from '#lib/admin/setup.ts'
import type { SetupState } from '#lib/contract/admin.ts'
import type { ShopStatus } from '#lib/contract/content.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { $may } from '#lib/stores/admin/access.ts'
import { api } from '#lib/api.ts'
import { notify } from '#lib/stores/toasts.ts'
import { $setup, readStatus } from '#lib/stores/setup.ts'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { useLoad } from '../../ui/hooks.ts'

const texts = {
  ownStateMissing:
    'Delivery is off: choose your state under Shop details, because you deliver only within it.',
  elsewhereMissing: 'You deliver outside of your zones for free: choose what applies there.',
  notLiveOwner: 'Only an owner can confirm it.',
  notLiveCause: 'A backup was restored, or the shop’s address (SITE_URL) has changed.',
  confirmLive: 'This is now the live shop',
  confirmLiveFailed: 'The shop could not be confirmed.'
}

interface Warning {
  text: string
  link?: { label: string; href: string } | undefined
}

/** Why no money comes in and no email goes out, and whether this is the live shop. */
export function ShopBars({ onDashboard }: { onDashboard: boolean }) {
  const may = useStore($may)
  const setup = useStore($setup)
  const [result, reload] = useLoad('status', readStatus)
  const status = result.state === 'ready' ? result.value : undefined
  return (
    <>
      {setup && <Bar warnings={findWarnings(setup)} />}
      {setup && !onDashboard && <SetupLink text={setupText(setup.rows)} />}
      {status && !may('GET /admin/setup') && <Bar warnings={findWarningsForStaff(status)} />}
      {status?.notLive && may('GET /admin/dashboard') && <NotLiveBar onConfirmed={reload} />}
    </>
  )
}

function Bar({ warnings }: { warnings: Warning[] }) {
  if (warnings.length === 0) return null
  return (
    <ul
      aria-label="Warnings"
      className={
        'mb-1 rounded-card bg-chilli px-4 text-sm font-semibold text-paper lg:flex ' +
        'lg:flex-wrap lg:gap-x-8 lg:text-base'
      }
    >
      {warnings.map(({ text, link }) => (
        <li key={text} className="flex min-h-target items-center">
          {link ? (
            <a
              href={link.href}
              className="block py-3 underline underline-offset-4 sm:no-underline lg:py-2"
            >
              {text} <span className="hidden underline sm:ml-2 sm:inline">{link.label}</span>
            </a>
          ) : (
            text
          )}
        </li>
      ))}
    </ul>
  )
}

function SetupLink({ text }: { text: string }) {
  if (text === '') return null
  return (
    <a
      href={SETUP_PATH}
      className={
        'mb-1 flex min-h-target items-center rounded-card bg-turmeric px-4 py-2 text-sm ' +
        'font-semibold underline underline-offset-4'
      }
    >
      {text}
    </a>
  )
}

function findWarningsForStaff({ testMode, mailNotSetUp }: ShopStatus): Warning[] {
  const texts = [testMode && MESSAGES.testMode, mailNotSetUp && MESSAGES.mailNotSetUp]
  return texts.flatMap(text => (text ? [{ text }] : []))
}

function findWarnings({ rows, payments }: SetupState): Warning[] {
  const missing = rows.flatMap(row => row.missing)
  const warnings: Warning[] = []
  if (payments !== 'live') {
    const link = { label: 'Set up payments', href: `${paths.admin}#setup-payments` }
    warnings.push({ text: MESSAGES.testMode, link })
  } else if (missing.includes('fssai') || missing.includes('grievanceOfficer')) {
    warnings.push({ text: ADMIN_MESSAGES.legalMissing, link: GAPS.fssai.link })
  }
  if (missing.includes('ownState'))
    warnings.push({ text: texts.ownStateMissing, link: GAPS.ownState.link })
  if (missing.includes('elsewhere'))
    warnings.push({ text: texts.elsewhereMissing, link: GAPS.elsewhere.link })
  if (missing.includes('smtp')) {
    warnings.push({
      text: MESSAGES.mailNotSetUp,
      link: { label: 'Set up email', href: `${paths.admin}#setup-mail` }
    })
  }
  return warnings
}

function NotLiveBar({ onConfirmed }: { onConfirmed: () => Promise<void> }) {
  const mayConfirm = useStore($may)('POST /admin/confirm-live')
  return (
    <div
      className={
        'mb-4 flex flex-wrap items-center justify-between gap-3 rounded-card border ' +
        'border-brass bg-cream-deep p-4'
      }
    >
      <div>
        <p className="font-semibold">{ADMIN_MESSAGES.notLive}</p>
        <p>
          {texts.notLiveCause} {!mayConfirm && texts.notLiveOwner}
        </p>
      </div>
      {mayConfirm && (
        <ConfirmButton
          label={texts.confirmLive}
          title="Make this the live shop?"
          confirmLabel="Confirm"
          busyLabel="Confirming…"
          errorTitle={texts.confirmLiveFailed}
          onConfirm={async () => {
            const { message: title } = await api('POST /admin/confirm-live')
            notify({ title })
            await onConfirmed()
          }}
        >
          It then takes payments, makes due refunds and sends all waiting emails. Confirm only if no
          other copy of this shop is open to customers.
        </ConfirmButton>
      )}
    </div>
  )
}
