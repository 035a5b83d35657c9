import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { api } from '#lib/api.ts'
import type { BellDevice } from '#lib/contract/admin.ts'
import { BELL_KINDS, type BellKind } from '#lib/contract/names.ts'
import { t, texts } from '#lib/contract/texts.ts'
import {
  $bell,
  changeKinds,
  findSupport,
  loadBell,
  removeDevice,
  turnOn
} from '#lib/stores/admin/bell.ts'
import { Button } from '../../ui/Button.tsx'
import { ActionButton, Failure } from '../../ui/Buttons.tsx'
import { useAttempt } from '../../ui/hooks.ts'
import { Card, Loaded } from '../ui/views.tsx'

const KINDS: Readonly<Record<BellKind, string>> = texts({
  order: 'New paid orders',
  cancelled: 'Orders that customers cancel',
  stock: 'Products that run low',
  problem: 'Failed refunds and website updates'
})

const OBSTACLES: Partial<Record<ReturnType<typeof findSupport>, string>> = texts({
  denied:
    'Your browser blocks the shop’s notifications. Allow them in the browser’s settings for this ' +
    'page, then load it again.',
  'home-screen':
    'On an iPhone or iPad with iOS 16.4 or later, first press Share and “Add to Home Screen”. ' +
    'Then open the shop from the home screen and come back to this page.',
  insecure: 'Notifications need a shop whose address begins with https.',
  missing: 'This browser can’t show notifications. Please use Chrome, Edge, Firefox or Safari.'
})

export function BellCard() {
  const bell = useStore($bell)
  useEffect(() => void loadBell(), [])
  return (
    <Card id="bell" title={t('Notifications on this device')}>
      <div className="mt-2 grid gap-4">
        <Loaded state={bell} label={t('devices')} rows={2} onRetry={loadBell}>
          {({ devices }) => <Devices devices={devices} />}
        </Loaded>
      </div>
    </Card>
  )
}

function Devices({ devices }: { devices: readonly BellDevice[] }) {
  const failed = { title: t('This could not be saved.') }
  const { busy, failure, run } = useAttempt(failed)
  const [result, setResult] = useState('')
  const attempt = (action: () => Promise<void>, errorText = failed) => {
    setResult('')
    void run(action, errorText)
  }
  const own = devices.find(({ isThis }) => isThis)
  const toggle = (kind: BellKind, kinds: readonly BellKind[]) =>
    changeKinds(BELL_KINDS.filter(each => kinds.includes(each) !== (each === kind)))
  const others = devices.filter(device => device !== own)
  const obstacle = OBSTACLES[findSupport()]
  return (
    <>
      {obstacle !== undefined ? (
        <p>{obstacle}</p>
      ) : !own ? (
        <ActionButton
          label={t('Turn on')}
          busyLabel={t('Turning on…')}
          errorTitle={t('Notifications could not be turned on.')}
          action={turnOn}
        >
          {t('This device rings when an order comes in, even while this page is closed.')}
        </ActionButton>
      ) : (
        <>
          <fieldset>
            <legend>{t('This device rings for:')}</legend>
            {BELL_KINDS.map(kind => (
              <label
                key={kind}
                className="flex min-h-target cursor-pointer items-center gap-3 py-1"
              >
                <input
                  type="checkbox"
                  className="size-6 shrink-0 accent-chilli"
                  checked={own.kinds.includes(kind)}
                  onChange={() => attempt(() => toggle(kind, own.kinds))}
                />
                {KINDS[kind]}
              </label>
            ))}
          </fieldset>
          <div className="flex flex-wrap gap-3">
            <Button
              label={t('Ring now')}
              busy={busy}
              onClick={() =>
                attempt(async () => setResult((await api('POST /admin/bell/test')).message), {
                  title: t('This device could not be rung.')
                })
              }
            />
            <Button
              look="link"
              label={t('Turn off')}
              busy={busy}
              onClick={() => attempt(() => removeDevice(own.id, true))}
            />
          </div>
        </>
      )}
      <p role="status" className="empty:hidden">
        {result}
      </p>
      {others.length > 0 && (
        <ul aria-label={t('Your other devices')}>
          {others.map(({ id, label }) => (
            <li key={id} className="flex min-h-target items-center justify-between gap-4">
              <span className="min-w-0 break-words">{label}</span>
              <Button
                look="link"
                label={t('Remove')}
                aria-label={t('Remove {name}', { name: label })}
                busy={busy}
                onClick={() => attempt(() => removeDevice(id, false))}
              />
            </li>
          ))}
        </ul>
      )}
      <Failure failure={failure} busy={busy} />
    </>
  )
}
