import { api } from '#lib/api.ts'
import { plural, t } from '#lib/contract/texts.ts'
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
  return (
    <p role="status" className="font-semibold empty:hidden">
      {count > 0 && (
        <>
          {from === until
            ? plural(count, '{count} order is due on {day}:', '{count} orders are due on {day}:', {
                day: formatShortDay(from)
              })
            : plural(
                count,
                '{count} order is due in these days:',
                '{count} orders are due in these days:'
              )}{' '}
          {/* In a new tab, so that nothing is lost that was typed here. */}
          <a
            href={paths.adminOrders + toQuery({ status: 'pending', day: `${from}..${until}` })}
            target="_blank"
            className="link target"
          >
            {t(count === 1 ? 'see it' : 'see them')}
          </a>
        </>
      )}
    </p>
  )
}
