import { useDeferredValue, useId, useMemo, useState } from 'react'
import type { MissedSearch } from '#lib/contract/search.ts'
import { readMissedSearches, readSearch } from '#lib/stores/admin/settings.ts'
import { formatShortDay } from '#lib/time.ts'
import { useLoad } from '../../ui/hooks.ts'
import { DataTable, type Column } from '../ui/DataTable.tsx'
import { Loaded } from '../ui/Loaded.tsx'

const SHOWN = 5

/** Searches with the typed synonyms, before they are saved. */
export function TrySearch({ synonyms }: { synonyms: string }) {
  const [text, setText] = useState('')
  const [loaded] = useLoad('search', readSearch)
  const latest = useDeferredValue(synonyms)
  const search = useMemo(() => (loaded.state === 'ready' ? loaded.value(latest) : undefined), [loaded, latest])
  const id = useId()
  const found = text.trim() === '' ? undefined : search?.find(text)
  return (
    <div className="card grid gap-3 p-4 sm:p-6">
      <label htmlFor={id} className="font-serif text-lg font-semibold">
        Try a search
      </label>
      <input
        id={id}
        type="search"
        className="field"
        placeholder="For example chakli"
        value={text}
        onChange={({ target }) => setText(target.value)}
        // Enter would save the settings.
        onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
      />
      <div role="status">
        {found?.length === 0 && <p>Finds nothing. Shoppers would see your bestsellers and your phone number.</p>}
        {found && found.length > 0 && (
          <ol className="list-decimal pl-6">
            {found.slice(0, SHOWN).map(({ id: product, name }) => (
              <li key={product}>{name}</li>
            ))}
          </ol>
        )}
        {found && found.length > SHOWN && <p>and {found.length - SHOWN} more</p>}
      </div>
    </div>
  )
}

const COLUMNS: readonly Column<MissedSearch>[] = [
  { label: 'Search', cell: ({ text }) => <span className="break-words">{text}</span> },
  { label: 'Times', cell: ({ count }) => count, numeric: true },
  { label: 'Last', cell: ({ lastDay }) => formatShortDay(lastDay) }
]

export function MissedSearches() {
  const [result, reload] = useLoad('missed searches', readMissedSearches)
  return (
    <section aria-labelledby="missed-searches" className="card grid gap-3 p-4 sm:p-6">
      <h3 id="missed-searches" className="text-lg">
        Searches without result, last 30 days
      </h3>
      <p>If you sell it under another name, add both names above. Who searched is not stored.</p>
      <Loaded state={result} label="searches" onRetry={() => void reload()}>
        {searches =>
          searches.length === 0 ? (
            <p className="text-ink/70">Searches that find nothing will appear here.</p>
          ) : (
            <DataTable
              caption="Searches without result"
              columns={COLUMNS}
              rows={searches}
              getKey={({ text }) => text}
            />
          )
        }
      </Loaded>
    </section>
  )
}
