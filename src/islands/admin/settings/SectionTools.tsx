import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { api, apiFile } from '#lib/api.ts'
import { saveFile } from '#lib/browser.ts'
import { toCards } from '#lib/catalog/cards.ts'
import { PINCODE } from '#lib/constants.ts'
import type { MissedSearch } from '#lib/contract/content.ts'
import { toDigits } from '#lib/contract/formats.ts'
import { t, text } from '#lib/contract/texts.ts'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import { readSearch } from '#lib/stores/admin/settings.ts'
import { formatShortDay, listMonths } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { AreaButtons } from '../../ui/Field.tsx'
import { useLoad } from '../../ui/hooks.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import type { RecordFormState } from '../ui/use-record-form.ts'
import { Card, LabelledSelect, Load } from '../ui/views.tsx'

const SHOWN = 5
const TOOL = 'grid gap-3 p-4 sm:p-6'

export function TrySearch({ synonyms }: { synonyms: string }) {
  const [text, setText] = useState('')
  const [loaded] = useLoad('search', readSearch)
  const latest = useDeferredValue(synonyms)
  const search = useMemo(
    () => (loaded.state === 'ready' ? loaded.value(latest) : undefined),
    [loaded, latest]
  )
  const id = useId()
  const found = text.trim() === '' || !search ? undefined : toCards(search.find(text))
  return (
    <div className="card grid gap-3 p-4 sm:p-6">
      <label htmlFor={id} className="font-serif text-lg font-semibold">
        {t('Try a search')}
      </label>
      <input
        id={id}
        type="search"
        className="field"
        placeholder={t('For example chakli')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        // Enter would save the settings.
        onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
      />
      <div role="status">
        {found?.length === 0 && (
          <p>{t('Finds nothing. Shoppers would see your bestsellers and your phone number.')}</p>
        )}
        {found && found.length > 0 && (
          <ol className="list-decimal pl-6">
            {found.slice(0, SHOWN).map(({ id: product, name }) => (
              <li key={product}>{name}</li>
            ))}
          </ol>
        )}
        {found && found.length > SHOWN && (
          <p>{t('and {count} more', { count: found.length - SHOWN })}</p>
        )}
      </div>
    </div>
  )
}

const COLUMNS: readonly Column<MissedSearch>[] = [
  { label: text('Search||noun'), cell: ({ text }) => <span className="break-words">{text}</span> },
  { label: text('Times'), cell: ({ count }) => count, numeric: true },
  { label: text('Last'), cell: ({ lastDay }) => formatShortDay(lastDay) }
]

export function MissedSearches() {
  return (
    <Card id="missed-searches" className={TOOL} title={t('Searches without result, last 30 days')}>
      <p>
        {t('If you sell it under another name, add both names above. We don’t store who searched.')}
      </p>
      <Load label={t('searches')} read={() => api('GET /admin/searches')}>
        {searches =>
          searches.length === 0 ? (
            <p className="text-ink/70">{t('Searches that find nothing will appear here.')}</p>
          ) : (
            <DataTable
              caption={t('Searches without result')}
              columns={COLUMNS}
              rows={searches}
              getKey={({ text }) => text}
            />
          )
        }
      </Load>
    </Card>
  )
}

const MONTHS = 24

export function TaxReport() {
  const months = listMonths(Date.now(), MONTHS)
  const [month, setMonth] = useState(months[1]?.[0] ?? '')
  const download = async () =>
    saveFile(await apiFile('GET /admin/tax-report', { query: { month } }), `tax-${month}.csv`)
  return (
    <Card id="tax-report" className={TOOL} title={t('Report for your accountant')}>
      <p>
        {t(
          'A file (CSV) with the sums of a month: what you sold, what you paid back, by state ' +
            'and tax rate. Send it to your accountant, who checks it.'
        )}
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <LabelledSelect label={t('Month')} value={month} choices={months} onType={setMonth} />
        <Button
          label={t('Download report')}
          onClick={() => void toastErrors(download, t('The report could not be downloaded.'))}
        />
      </div>
    </Card>
  )
}

const [CITY, STATE] = ['address.city', 'address.state']

/** Fills in city and state when the pincode changes. What the owner has typed stays. */
export function ShopAreas({ form: { typed, fill } }: { form: RecordFormState }) {
  const pincode = toDigits(String(typed['address.pincode'] ?? ''))
  const initial = useRef(pincode)
  const filled = useRef(typed)
  const [result] = useLoad(pincode, async () =>
    PINCODE.test(pincode) ? api('GET /delivery', { query: { pincode } }) : undefined
  )
  // Without a reply, city and state are typed.
  const place = result.state === 'ready' ? result.value : undefined
  useEffect(() => {
    if (!place || pincode === initial.current) return
    initial.current = ''
    const state = place.states.length === 1 ? place.states[0] : ''
    const names = [CITY, STATE].filter(name => ['', filled.current[name]].includes(typed[name]))
    filled.current = { [CITY]: place.town, [STATE]: state }
    fill(Object.fromEntries(names.map(name => [name, filled.current[name]])))
  }, [place])
  return <AreaButtons areas={place?.areas} onChoose={area => fill({ 'address.area': area })} />
}
