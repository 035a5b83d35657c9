import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Dashboard } from '#lib/contract/admin/dashboard.ts'
import { adminGreetingText } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { readDashboard } from '#lib/stores/admin/dashboard.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AdminFrame } from '../AdminFrame.tsx'
import { useLoad } from '../ui/use-load.ts'
import { Backup } from './Backup.tsx'
import { WebsiteStatus } from './WebsiteStatus.tsx'
import { LowStock } from './LowStock.tsx'
import { Sales } from './Sales.tsx'
import { Tiles } from './Tiles.tsx'

export function DashboardPage() {
  return (
    <AdminFrame section="dashboard">
      {user => (
        <>
          <p className="font-serif text-xl font-semibold">{adminGreetingText(user.name)}</p>
          <DashboardContent />
        </>
      )}
    </AdminFrame>
  )
}

function DashboardContent() {
  const [result, reload] = useLoad('dashboard', readDashboard)
  const dashboard = result.state === 'ready' ? result.value : undefined
  return (
    <div className="mt-4 grid grid-cols-1 gap-6">
      {dashboard && <Tasks {...dashboard} />}
      <Tiles counts={dashboard?.counts} />
      {result.state === 'loading' && (
        <>
          <p role="status" className="sr-only">
            Loading…
          </p>
          <Skeleton rows={3} />
        </>
      )}
      {result.state === 'failed' && (
        <div role="alert">
          <EmptyState text={`${ADMIN_MESSAGES.loadFailed} ${result.error.message}`}>
            <button type="button" className="button-primary" onClick={() => void reload()}>
              Try again
            </button>
          </EmptyState>
        </div>
      )}
      {dashboard && <Sales sales={dashboard.sales} />}
      <div className="grid items-start gap-6 md:grid-cols-2">
        {dashboard && <LowStock products={dashboard.lowStock} />}
        <div className="grid gap-6">
          <WebsiteStatus />
          <Backup />
        </div>
      </div>
    </div>
  )
}

function Tasks({ toPack, unread }: Pick<Dashboard, 'toPack' | 'unread'>) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2">
      <Task
        count={toPack}
        href={`${paths.adminOrders}?status=pending&day=due`}
        label={toPack === 1 ? 'order to pack today' : 'orders to pack today'}
      />
      <Task count={unread} href={paths.adminMessages} label={unread === 1 ? 'unread message' : 'unread messages'} />
    </ul>
  )
}

function Task({ count, href, label }: { count: number; href: string; label: string }) {
  const colours = count > 0 ? 'border-chilli' : 'border-brass/40'
  return (
    <li>
      <a
        href={href}
        className={`card flex min-h-20 items-center gap-4 border-2 p-4 font-semibold hover:text-chilli ${colours}`}
      >
        <span className="font-serif text-3xl tabular-nums">{count}</span> {label}
      </a>
    </li>
  )
}
