import { useState } from 'react'
import { findNeverOpen, findOverlaps, previewDelivery } from '#lib/admin/delivery-preview.ts'
import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import { listSpecs, parseTyped, toValue } from '#lib/admin/field-values.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { readDeliveryRules } from '#lib/stores/admin/settings.ts'
import { fromIndianDateTime, toIndianDateTime } from '#lib/time.ts'
import { useLoad } from '../../ui/hooks.ts'
import { Loaded } from '../ui/Loaded.tsx'

const texts = {
  stateLimitText: (servedState: string | null) =>
    servedState === null
      ? 'Nothing is delivered at the moment: please choose your state in Shop details.'
      : `Only addresses in ${servedState} are served, because of your Tax settings.`
}

/**
 * Says what the typed rules mean for a pincode and a time. The rules of other sections are those
 * that are saved.
 */
export function DeliveryPreview({
  section,
  typed
}: {
  section: 'delivery' | 'calendar'
  typed: Typed
}) {
  const [saved, reload] = useLoad('delivery-preview', readDeliveryRules)
  const [pincode, setPincode] = useState('620018')
  const [time, setTime] = useState(() => toIndianDateTime(new Date().toISOString()))
  const value = toValue(parseTyped(listSpecs(SECTION_FORMS[section]), typed))
  const now = Date.parse(fromIndianDateTime(time) ?? '')
  return (
    <section
      aria-labelledby="delivery-preview"
      className="card grid gap-4 p-4 sm:p-6"
      // The fields are inside the form, which Enter would save.
      onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
    >
      <h2 id="delivery-preview" className="font-serif text-lg font-semibold">
        Try it
      </h2>
      <div className="grid gap-4 sm:grid-cols-2">
        <label className="grid gap-1 font-semibold">
          Pincode
          <input
            className="field font-normal"
            inputMode="numeric"
            maxLength={6}
            value={pincode}
            onChange={({ target }) => setPincode(target.value)}
          />
        </label>
        <label className="grid gap-1 font-semibold">
          Ordered at (India time)
          <input
            className="field font-normal"
            type="datetime-local"
            value={time}
            onChange={({ target }) => setTime(target.value)}
          />
        </label>
      </div>
      <Loaded state={saved} label="preview" onRetry={reload}>
        {({ products, servedState, ...saved }) => {
          const rules = { ...saved, [section]: value }
          const overlaps = section === 'delivery' ? findOverlaps(rules.delivery.zones) : []
          const limits = servedState === '' ? [] : [texts.stateLimitText(servedState)]
          return (
            <>
              <div role="status" className="grid gap-1 break-words font-semibold">
                {(Number.isNaN(now) ? [] : previewDelivery(rules, pincode, now)).map(line => (
                  <p key={line}>{line}</p>
                ))}
              </div>
              {[...limits, ...overlaps, ...findNeverOpen(rules, products, Date.now())].map(hint => (
                <p key={hint} className="break-words text-sm text-ink/70">
                  {hint}
                </p>
              ))}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
