import { api } from '#lib/api.ts'
import { formatCount } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { formatShortDay, toDayInIndia } from '#lib/time.ts'
import { toQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'

const DAY = /^\d{4}-\d\d-\d\d$/

/** Warns before days are closed, but does not refuse them. */
export function DueOrders({ from, until }: { from: unknown; until: unknown }) {
  const [start, end, today] = [String(from), String(until), toDayInIndia(Date.now())]
  const first = start > today ? start : today
  const areDays = DAY.test(start) && DAY.test(end)
  return areDays && first <= end && <DueCount from={first} until={end} />
}

function DueCount({ from, until }: { from: string; until: string }) {
  const [orders] = useLoad(`${from} ${until}`, () =>
    api('GET /admin/orders', { query: { status: 'pending', from, until, cooked: 'true' } })
  )
  const count = orders.state === 'ready' ? orders.value.count : 0
  const days = from === until ? `on ${formatShortDay(from)}` : 'in these days'
  return (
    <p role="status" className="font-semibold empty:hidden">
      {count > 0 && (
        <>
          {formatCount(count, 'order')} {count === 1 ? 'is' : 'are'} due {days}:{' '}
          {/* In a new tab, so that nothing is lost that was typed here. */}
          <a
            href={paths.adminOrders + toQuery({ status: 'pending', day: `${from}..${until}` })}
            target="_blank"
            className="link target"
          >
            see {count === 1 ? 'it' : 'them'}
          </a>
        </>
      )}
    </p>
  )
}
