import { ADMIN_MESSAGES, formatOrderCount } from '#lib/admin/messages.ts'
import { readOrdersById } from '#lib/stores/admin/orders.ts'
import { useGuard } from '../../../account/use-guard.ts'
import type { Seller } from '../../../orders/Invoice.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useLoad } from '../../ui/use-load.ts'
import { Labels } from './Labels.tsx'
import { PackingList } from './PackingList.tsx'

interface PrintPageProps {
  template: 'packing' | 'labels'
  ids: readonly string[]
  sender: Seller
  onClose: () => void
}

const TITLES = { packing: 'Packing list', labels: 'Address labels' }

export function PrintPage({ template, ids, sender, onClose }: PrintPageProps) {
  const session = useGuard({ role: 'admin' })
  return (
    <div className="grid gap-6 py-6 print:block print:py-0">
      <div className="flex flex-wrap items-center gap-3 print:hidden">
        <h1 className="grow text-2xl">{TITLES[template]}</h1>
        <button type="button" className="button-quiet" onClick={onClose}>
          Back to orders
        </button>
        {ids.length > 0 && (
          <button type="button" className="button-primary" autoFocus onClick={() => print()}>
            Print
          </button>
        )}
      </div>
      {session.state === 'authenticated' && <Sheets template={template} ids={ids} sender={sender} />}
    </div>
  )
}

function Sheets({ template, ids, sender }: Omit<PrintPageProps, 'onClose'>) {
  const [result, reload] = useLoad(ids.join(), () => (ids.length === 0 ? Promise.resolve([]) : readOrdersById(ids)))
  if (result.state === 'loading') return <Skeleton rows={4} />
  if (result.state === 'failed') {
    return (
      <div role="alert">
        <EmptyState text={`${ADMIN_MESSAGES.loadFailed} ${result.error.message}`}>
          <button type="button" className="button-primary" onClick={() => void reload()}>
            Try again
          </button>
        </EmptyState>
      </div>
    )
  }
  if (result.value.length === 0) return <p role="status">{ADMIN_MESSAGES.printNone}</p>
  return (
    <>
      <p role="status" className="text-sm text-ink/70 print:hidden">
        {formatOrderCount(result.value.length)}
      </p>
      {template === 'packing' ? (
        <PackingList orders={result.value} />
      ) : (
        <Labels orders={result.value.filter(({ isAnonymised }) => !isAnonymised)} sender={sender} />
      )}
    </>
  )
}
