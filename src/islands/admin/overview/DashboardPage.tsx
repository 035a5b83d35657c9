import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { SECTIONS } from '#lib/admin/access.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { api } from '#lib/api.ts'
import type { Dashboard, KitchenDashboard } from '#lib/contract/admin.ts'
import { rich, t } from '#lib/contract/texts.ts'
import { localPath, paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import {
  $dashboard,
  $newOrders,
  downloadBackup,
  loadDashboard,
  watchDashboard
} from '#lib/stores/admin/overview.ts'
import { $user } from '#lib/stores/session.ts'
import { formatShortDay } from '#lib/time.ts'
import { ActionButton } from '../../ui/Buttons.tsx'
import { Time } from '../../ui/Facts.tsx'
import { toQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Badge } from '../ui/DataTable.tsx'
import { Card, Load, Loaded, useMay } from '../ui/views.tsx'
import { BellCard } from './Bell.tsx'
import { Holiday } from './Holiday.tsx'
import { Sales } from './Sales.tsx'
import { DoneRows, OpenRows } from './Setup.tsx'

export function DashboardPage() {
  const user = useStore($user)
  const may = useMay()
  return (
    <AdminFrame section="dashboard">
      <p className="mb-2 font-serif text-lg font-semibold max-sm:hidden">
        {t('Vanakkam, {name}!', { name: user?.name ?? '' })}
      </p>
      <OpenRows />
      {may('GET /admin/dashboard') ? <DashboardContent /> : <KitchenContent />}
    </AdminFrame>
  )
}

function DashboardContent() {
  const may = useMay()
  const dashboard = useStore($dashboard)
  useEffect(watchDashboard, [])
  const value = dashboard.state === 'ready' ? dashboard.value : undefined
  return (
    <div className="mt-2 grid grid-cols-1 gap-4 lg:gap-6">
      <Tasks dashboard={value} />
      <Tiles dashboard={value} />
      <Loaded state={dashboard} label={t('sales')} onRetry={loadDashboard}>
        {({ sales, testOrders, lowStock }) => (
          <>
            <div className="min-h-[3.75rem]">
              <Holiday />
            </div>
            <Sales sales={sales} testOrders={testOrders} />
            <div className="grid items-start gap-6 md:grid-cols-2">
              <LowStock products={lowStock} />
              <BellCard />
              {may('GET /admin/backups') && <Backup />}
              <DoneRows />
            </div>
          </>
        )}
      </Loaded>
    </div>
  )
}

function KitchenContent() {
  return (
    <div className="mt-2 grid grid-cols-1 gap-4 lg:gap-6">
      <Load label={t('orders')} read={() => api('GET /admin/kitchen')}>
        {dashboard => (
          <>
            <ul className="grid gap-2 md:grid-cols-2 md:gap-4">
              <OrderTasks dashboard={dashboard} />
            </ul>
            <LowStock products={dashboard.lowStock} />
          </>
        )}
      </Load>
    </div>
  )
}

function Tasks({ dashboard }: { dashboard: Dashboard | undefined }) {
  const { unread, lowStock } = dashboard ?? {}
  return (
    <ul className="grid gap-2 md:grid-cols-2 md:gap-4 xl:grid-cols-4">
      <OrderTasks dashboard={dashboard} />
      <Task
        count={unread}
        href={`${paths.adminMessages}?show=unread`}
        label={t(unread === 1 ? 'unread message' : 'unread messages')}
      />
      <Task
        count={lowStock?.length}
        href="#low-stock"
        label={t(lowStock?.length === 1 ? 'product low in stock' : 'products low in stock')}
      />
    </ul>
  )
}

/** Each number is that of the rows behind the link. */
function OrderTasks({ dashboard }: { dashboard: KitchenDashboard | undefined }) {
  const { toPack, toPackToday = 0, packed, ready = 0, dueBy } = dashboard ?? {}
  const day = dueBy && formatShortDay(dueBy)
  return (
    <>
      <Task
        count={toPack}
        href={`${paths.adminOrders}?status=pending&day=due`}
        label={
          day === undefined
            ? t(toPack === 1 ? 'order to pack' : 'orders to pack')
            : t(
                toPack === 1
                  ? 'order to pack, for delivery until {day}'
                  : 'orders to pack, for delivery until {day}',
                { day }
              )
        }
        noneText={day && t('Nothing to pack until {day}', { day })}
        note={toPackToday > 0 && t('{count} to pack today', { count: toPackToday })}
      />
      <Task
        count={packed}
        href={`${paths.adminOrders}?status=packed`}
        label={t(
          packed === 1 ? 'packed order to send or hand over' : 'packed orders to send or hand over'
        )}
      />
      {ready > 0 && (
        <Task
          count={ready}
          href={`${paths.adminOrders}?status=ready`}
          label={t(ready === 1 ? 'order ready for pickup' : 'orders ready for pickup')}
        />
      )}
    </>
  )
}

interface TaskProps {
  count: number | undefined
  href: string
  label: string
  noneText?: string | undefined
  note?: string | false
}

function Task({ count, href, label, noneText, note = false }: TaskProps) {
  const isNone = count === 0 && noneText !== undefined
  const colours = count ? 'border-chilli' : 'border-brass/40'
  return (
    <li>
      <a
        href={href}
        className={
          'card flex h-full min-h-[4.5rem] items-center gap-4 border-2 px-4 py-2 ' +
          `hover:text-chilli md:min-h-24 ${colours}`
        }
      >
        {isNone || (
          <>
            <span className="min-w-8 font-serif text-3xl font-semibold">{count ?? '…'}</span>{' '}
          </>
        )}
        <span className="text-sm font-semibold">
          {isNone ? noneText : label}{' '}
          {note && <span className="block text-sm text-chilli">{note}</span>}
        </span>
      </a>
    </li>
  )
}

// The specification requires these four tiles in this order.
const TILES = ['products', 'orders', 'users', 'deals'] as const

function Tiles({ dashboard }: { dashboard: Dashboard | undefined }) {
  const newOrders = useStore($newOrders)
  return (
    <ul className="grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4">
      {TILES.map(tile => (
        <li key={tile}>
          <a
            href={localPath(SECTIONS[tile].path)}
            className={
              'card flex h-full min-h-20 flex-col justify-between gap-1 p-3 font-semibold ' +
              'hover:text-chilli sm:min-h-28 sm:p-4'
            }
          >
            <span>{t(SECTIONS[tile].label)}</span>
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="font-serif text-3xl">
                {(tile === 'orders' ? dashboard?.pending : dashboard?.counts[tile]) ?? '…'}
              </span>
              {tile === 'orders' && (
                <>
                  <span className="text-sm">{t('to pack')}</span>
                  <span role="status">
                    {newOrders > 0 && <Badge text={t('{count} new', { count: newOrders })} />}
                  </span>
                </>
              )}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function LowStock({ products }: { products: Dashboard['lowStock'] }) {
  const mayEdit = useMay()('PATCH /admin/products/{id}')
  return (
    <Card id="low-stock" title={t('Low stock')}>
      {products.length === 0 ? (
        <p className="mt-2">{t('Nothing is running low.')}</p>
      ) : (
        <ul className="mt-2">
          {products.map(({ id, name, packSize, stock }) => (
            <li key={id} className="border-b border-brass/30 last:border-0">
              <a
                href={paths.adminProducts + (mayEdit ? toQuery({ product: id }) : '')}
                className={
                  'flex min-h-target items-center justify-between gap-4 py-2 hover:text-chilli'
                }
              >
                <span className="min-w-0 break-words">
                  {name}, {formatPack(packSize)}
                </span>
                {stock === 0 ? (
                  <b className="shrink-0 text-chilli">{t('Out of stock')}</b>
                ) : (
                  <span className="shrink-0">{t('{count} left', { count: stock })}</span>
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Backup() {
  const [result, reloadBackups] = useLoad('backups', () => api('GET /admin/backups'))
  const [savedText, setSavedText] = useState('')
  const download = async () => {
    setSavedText('')
    const { size } = await downloadBackup()
    setSavedText(t('Backup downloaded ({size} MB).', { size: (size / 1e6).toFixed(1) }))
    await reloadBackups()
  }
  const lastBackupAt = result.state === 'ready' ? result.value.lastAt : undefined
  return (
    <Card id="backup" title={t('Backup')}>
      <div className="mt-2 grid gap-2">
        {lastBackupAt === null ? (
          <p>{t('No backup yet.')}</p>
        ) : (
          <p>
            {rich('Last backup: {time}', {
              time: lastBackupAt === undefined ? '…' : <Time key="time" iso={lastBackupAt} />
            })}
          </p>
        )}
        <ActionButton
          label={t('Download backup')}
          busyLabel={t('Preparing the backup…')}
          errorTitle={ADMIN_MESSAGES.backupFailed}
          action={download}
        >
          {t(
            'One file with your orders, accounts and pictures. ' +
              'It holds customers’ personal data, so store it safely.'
          )}
        </ActionButton>
        <p role="status">{savedText}</p>
      </div>
    </Card>
  )
}
