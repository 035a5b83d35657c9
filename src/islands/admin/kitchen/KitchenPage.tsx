import { ButtonLink } from '../../ui/Button.tsx'
import { toQuery, useQuery } from '../../ui/history.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { viewLink } from '../ui/view-link.ts'
import { DayView } from './DayView.tsx'
import { LabelsView } from './LabelsView.tsx'
import { MonthView } from './MonthView.tsx'

export function KitchenPage({ categories }: { categories: readonly Category[] }) {
  const params = new URLSearchParams(useQuery())
  const view = params.get('view')
  const date = findDate(params.get('date'))
  return (
    <AdminFrame section="kitchen">
      {() => (
        <>
          {view !== null && (
            <p className="print:hidden">
              <ButtonLink
                look="link"
                label="Back to the day"
                {...viewLink(date === undefined ? '' : toQuery({ date }))}
              />
            </p>
          )}
          {view === 'month' ? (
            <MonthView month={params.get('month') ?? date?.slice(0, 7)} />
          ) : view === 'labels' ? (
            <LabelsView date={date} />
          ) : (
            <DayView date={date} categories={categories} />
          )}
        </>
      )}
    </AdminFrame>
  )
}

/** Returns undefined for a text that is not a day. */
function findDate(text: string | null): string | undefined {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}
