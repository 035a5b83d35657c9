import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { GAPS, progressText, SETUP_LABELS, SETUP_PATH, setupText } from '#lib/admin/setup.ts'
import { api } from '#lib/api.ts'
import type { SetupState } from '#lib/contract/admin.ts'
import { formatCount, MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { $setup, readStatus, removeDemoData } from '#lib/stores/setup.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ButtonLink, Icon } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { useLoad } from '../../ui/hooks.ts'
import { Card, useMay } from '../ui/views.tsx'

const texts = {
  ownStateMissing:
    'Delivery is off: choose your state under Shop details, because you deliver only within it.',
  elsewhereMissing: 'You deliver everywhere else in India for free: is that right?'
}

interface Warning {
  text: string
  link?: { label: string; href: string } | undefined
}

export function ShopBars({ onDashboard }: { onDashboard: boolean }) {
  const may = useMay()
  const setup = useStore($setup)
  const [result, reload] = useLoad('status', readStatus)
  const status = result.state === 'ready' ? result.value : undefined
  return (
    <>
      {setup && <Bar warnings={findWarnings(setup)} />}
      {setup && !onDashboard && setupText(setup.rows) !== '' && (
        <a
          href={SETUP_PATH}
          className={
            'mb-1 flex min-h-target items-center rounded-card bg-turmeric px-4 py-2 text-sm ' +
            'font-semibold underline underline-offset-4'
          }
        >
          {setupText(setup.rows)}
        </a>
      )}
      {status && !may('GET /admin/setup') && (
        <Bar
          warnings={[
            ...(status.testMode ? [{ text: MESSAGES.testMode }] : []),
            ...(status.mailNotSetUp ? [{ text: MESSAGES.mailNotSetUp }] : [])
          ]}
        />
      )}
      {status?.notLive && may('GET /admin/dashboard') && <NotLiveBar onConfirmed={reload} />}
    </>
  )
}

function Bar({ warnings }: { warnings: readonly Warning[] }) {
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

function findWarnings({ rows, payments }: SetupState): Warning[] {
  const missing = rows.flatMap(row => row.missing)
  const warnings: Warning[] = []
  const add = (text: string, link: Warning['link']) => warnings.push({ text, link })
  if (payments !== 'live')
    add(MESSAGES.testMode, { label: 'Set up payments', href: `${paths.admin}#setup-payments` })
  else if (missing.includes('fssai') || missing.includes('grievanceOfficer'))
    add(ADMIN_MESSAGES.legalMissing, GAPS.fssai.link)
  if (missing.includes('ownState')) add(texts.ownStateMissing, GAPS.ownState.link)
  if (missing.includes('elsewhere')) add(texts.elsewhereMissing, GAPS.elsewhere.link)
  if (missing.includes('smtp'))
    add(MESSAGES.mailNotSetUp, { label: 'Set up email', href: `${paths.admin}#setup-mail` })
  return warnings
}

function NotLiveBar({ onConfirmed }: { onConfirmed: () => Promise<void> }) {
  const mayConfirm = useMay()('POST /admin/confirm-live')
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
          A backup was restored, or the shop’s address (SITE_URL) has changed.{' '}
          {!mayConfirm && 'Only an owner can confirm it.'}
        </p>
      </div>
      {mayConfirm && (
        <ConfirmButton
          label="This is now the live shop"
          title="Make this the live shop?"
          confirmLabel="Confirm"
          busyLabel="Confirming…"
          errorTitle="The shop could not be confirmed."
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

export function SetupList() {
  const setup = useStore($setup)
  if (!setup) return null
  const progress = progressText(setup.rows)
  if (progress === '') {
    return (
      <section className="card mb-6 mt-3 px-4 sm:px-6 [&>details]:border-0">
        <Disclosure title="Set-up checklist: all done">{() => <Rows setup={setup} />}</Disclosure>
      </section>
    )
  }
  return (
    <Card id="setup" title="Set up your shop" className="mb-6 mt-3 p-4 sm:p-6">
      <p className="text-ink/70">{progress}</p>
      <Rows setup={setup} />
    </Card>
  )
}

function Rows({ setup }: { setup: SetupState }) {
  const list = useRef<HTMLUListElement>(null)
  // The row did not exist yet when the browser looked for the fragment of the address.
  useEffect(() => {
    if (!location.hash.startsWith('#setup')) return
    const row = list.current?.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`)
    const target = row ?? list.current?.closest('section')
    target?.scrollIntoView()
  }, [])
  return (
    <ul ref={list} className="mt-2">
      {setup.rows.map(row => (
        <SetupRow key={row.id} {...row} demo={setup.demo} />
      ))}
    </ul>
  )
}

type SetupRowProps = SetupState['rows'][number] & Pick<SetupState, 'demo'>

function SetupRow({ id, missing, demo }: SetupRowProps) {
  const isDone = missing.length === 0
  const gaps = missing.map(gap => GAPS[gap])
  const link = gaps.find(gap => gap.link)?.link
  const hint = gaps.find(gap => gap.hint)?.hint
  return (
    <li
      id={`setup-${id}`}
      className="flex scroll-mt-20 gap-3 border-t border-brass/30 py-3 first:border-0"
    >
      <span
        className={
          'mt-0.5 grid size-6 shrink-0 place-items-center rounded-full ' +
          `${isDone ? 'bg-leaf text-paper' : 'border border-ink/50'}`
        }
      >
        {isDone && <Icon name="check" className="h-4 w-4" />}
      </span>
      <div className="grid min-w-0 grow gap-2 sm:flex sm:items-start sm:justify-between sm:gap-4">
        <div>
          <b>{SETUP_LABELS[id]}</b>{' '}
          {isDone ? (
            <span className="text-ink/70">Done</span>
          ) : (
            <span className="block">Missing: {gaps.map(({ name }) => name).join(', ')}.</span>
          )}
          {hint && <span className="mt-1 block break-words text-sm text-ink/80">{hint}</span>}
        </div>
        {(link || missing.includes('demoData')) && (
          <div className="flex shrink-0 flex-wrap gap-2">
            {missing.includes('demoData') && <RemoveDemo {...demo} />}
            {link && <ButtonLink {...link} />}
          </div>
        )}
      </div>
    </li>
  )
}

function RemoveDemo({ products, deals, posts, collections, sections }: SetupState['demo']) {
  const counts = { product: products, deal: deals, 'blog post': posts, collection: collections }
  const parts = Object.entries(counts).flatMap(([noun, count]) =>
    count > 0 ? [formatCount(count, noun)] : []
  )
  if (sections > 0) parts.push('texts of the home page and About us')
  return (
    <ConfirmButton
      label="Remove demo data"
      title="Remove the demo data?"
      confirmLabel="Remove"
      busyLabel="Removing…"
      errorTitle="The demo data could not be removed."
      onConfirm={removeDemoData}
    >
      This removes what came with the demo: {new Intl.ListFormat('en-IN').format(parts)}. What you
      have changed or added stays, and so do all orders. This can’t be undone.
    </ConfirmButton>
  )
}
