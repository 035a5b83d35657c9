import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { GAPS, isDone, isNeeded, SETUP_LABELS, setupPath, setupText } from '#lib/admin/setup.ts'
import { api } from '#lib/api.ts'
import type { SetupState } from '#lib/contract/admin.ts'
import { locale, plural, t } from '#lib/contract/texts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { $setup, removeDemoData } from '#lib/stores/admin/overview.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ButtonLink, Icon } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { useLoad } from '../../ui/hooks.ts'
import { Card, useMay } from '../ui/views.tsx'
import { OwnLogin } from './OwnLogin.tsx'

interface ShopBarsProps {
  /** Which says the same. */
  hasChecklist: boolean
}

export function ShopBars({ hasChecklist }: ShopBarsProps) {
  const may = useMay()
  const setup = useStore($setup)
  const [result, reload] = useLoad('status', () => api('GET /status'))
  const status = result.state === 'ready' ? result.value : undefined
  const text = setup && !hasChecklist && setupText(setup.rows)
  const warnings = [
    status?.testMode && MESSAGES.testMode,
    status?.mailNotSetUp && MESSAGES.mailNotSetUp
  ].filter(Boolean)
  const look =
    'mb-1 flex min-h-target items-center rounded-card bg-cream-deep px-4 text-sm font-semibold'
  return (
    <>
      {text && (
        <a href={setupPath()} className={`${look} gap-2 hover:underline`}>
          <span className="min-w-0">{text}</span>
          <span className="ml-auto underline underline-offset-4 max-sm:hidden">
            {t('Checklist')}
          </span>
          <span aria-hidden="true" className="ml-auto sm:hidden">
            ›
          </span>
        </a>
      )}
      {!may('GET /admin/setup') && warnings.length > 0 && (
        <p className={look}>{warnings.join(' · ')}</p>
      )}
      {status?.notLive && may('GET /admin/dashboard') && <NotLiveBar onConfirmed={reload} />}
    </>
  )
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
          {t('A backup was restored, or the shop’s web address has changed.')}{' '}
          {!mayConfirm && t('Only an owner can confirm it.')}
        </p>
      </div>
      {mayConfirm && (
        <ConfirmButton
          label={t('This is now the live shop')}
          title={t('Make this the live shop?')}
          confirmLabel={t('Confirm')}
          busyLabel={t('Confirming…')}
          errorTitle={t('The shop could not be confirmed.')}
          onConfirm={async () => {
            const { message: title } = await api('POST /admin/confirm-live')
            notify({ title })
            await onConfirmed()
          }}
        >
          {t(
            'It then takes payments, makes due refunds and sends all waiting emails. Confirm ' +
              'only if no other copy of this shop is open to customers.'
          )}
        </ConfirmButton>
      )}
    </div>
  )
}

export function OpenRows() {
  const setup = useStore($setup)
  const text = setup && setupText(setup.rows)
  const list = useRef<HTMLUListElement>(null)
  // The row did not exist yet when the browser looked for the fragment of the address.
  useEffect(() => {
    const row = /^#setup-\w+$/.exec(location.hash)
    if (row) list.current?.querySelector(row[0])?.scrollIntoView()
  }, [text])
  if (!setup || !text) return null
  return (
    <Card id="setup" title={t('Set up your shop')} className="mb-4 px-4 py-3 sm:p-6">
      <p className="text-sm text-ink/70">{text}</p>
      <ul ref={list}>
        {setup.rows.map(
          row => !isDone(row) && <SetupRow key={row.id} {...row} demo={setup.demo} />
        )}
      </ul>
    </Card>
  )
}

export function DoneRows() {
  const rows = useStore($setup)?.rows.filter(row => isNeeded(row) && isDone(row)) ?? []
  if (rows.length === 0) return null
  return (
    <section className="card px-4 [&>details]:border-0">
      <Disclosure
        title={plural(rows.length, 'Set-up: {count} step done', 'Set-up: {count} steps done')}
      >
        {() => (
          <ul className="grid gap-3">
            {rows.map(({ id }) => (
              <li key={id} className="flex gap-3">
                <span className="grid size-6 place-items-center rounded-full bg-leaf text-paper">
                  <Icon name="check" className="h-4 w-4" />
                </span>
                {SETUP_LABELS[id]}
              </li>
            ))}
          </ul>
        )}
      </Disclosure>
    </section>
  )
}

type SetupRowProps = SetupState['rows'][number] & Pick<SetupState, 'demo'>

function SetupRow({ id, missing, demo }: SetupRowProps) {
  const gaps = missing.map(gap => GAPS[gap])
  const link = gaps.find(gap => gap.link)?.link?.()
  const hint = gaps.find(gap => gap.hint)?.hint
  return (
    <li
      id={`setup-${id}`}
      className={
        'grid scroll-mt-20 gap-2 border-t border-brass/30 py-3 first:border-0 max-sm:first:pt-1 sm:flex ' +
        'sm:items-start sm:justify-between sm:gap-4'
      }
    >
      <div>
        <b>{SETUP_LABELS[id]}</b>
        {id !== 'account' && (
          <span className="block text-sm sm:text-base">
            {(gaps.length === 1 && gaps[0]?.todo) ||
              t('Missing: {names}.', { names: gaps.map(({ name }) => name).join(', ') })}
          </span>
        )}
        {hint && <span className="mt-1 block break-words text-sm text-ink/80">{hint}</span>}
      </div>
      {id === 'account' && <OwnLogin missing={missing} />}
      <div className="flex shrink-0 flex-wrap gap-2 empty:hidden">
        {missing.includes('demoData') && <RemoveDemo {...demo} />}
        {link && <ButtonLink {...link} />}
      </div>
    </li>
  )
}

function RemoveDemo({ products, deals, posts, collections, sections }: SetupState['demo']) {
  const parts = [
    products > 0 && plural(products, '{count} product', '{count} products'),
    deals > 0 && plural(deals, '{count} deal', '{count} deals'),
    posts > 0 && plural(posts, '{count} blog post', '{count} blog posts'),
    collections > 0 && plural(collections, '{count} collection', '{count} collections'),
    sections > 0 && t('texts of the home page and About us')
  ].filter(part => part !== false)
  return (
    <ConfirmButton
      label={t('Remove demo data')}
      title={t('Remove the demo data?')}
      confirmLabel={t('Remove')}
      busyLabel={t('Removing…')}
      errorTitle={t('The demo data could not be removed.')}
      onConfirm={removeDemoData}
    >
      {t(
        'This removes what came with the demo: {parts}. What you have changed or added stays, ' +
          'and so do all orders. This can’t be undone.',
        { parts: new Intl.ListFormat(locale()).format(parts) }
      )}
    </ConfirmButton>
  )
}
