import type { ReactNode } from 'react'
import {
  formatRunTime,
  lowestPrice,
  parsePercent,
  type DealFormField,
  type DealFormValues
} from '#lib/admin/deal-form.ts'
import type { ShopError } from '#lib/errors.ts'
import { dealOfferText } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { getShopTime } from '#lib/stores/deals.ts'
import { DAY, HOUR, toIndianDateTime } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'

interface TermFieldsProps {
  field: (name: DealFormField) => FieldState
  initial: DealFormValues
  values: () => DealFormValues
  fill: (values: Partial<DealFormValues>) => void
  focusStart?: boolean
}

const DURATIONS = [
  { label: '3 hours', ms: 3 * HOUR },
  { label: '1 day', ms: DAY },
  { label: '1 week', ms: 7 * DAY }
] as const

/** The buttons set common times, because date pickers are slow to use on phones. */
export function TermFields({ field, initial, values, fill, focusStart = false }: TermFieldsProps) {
  const nowInIndia = () => toIndianDateTime(new Date(getShopTime()).toISOString())
  const setDuration = (ms: number) => {
    const startTime = values().startTime || nowInIndia()
    fill({ startTime, endTime: addDuration(startTime, ms) })
  }
  const dateTimeInput = { type: 'datetime-local', required: true, autoComplete: 'off' } as const
  return (
    <>
      <Field
        state={field('discountPercentage')}
        label="Discount (%)"
        type="number"
        inputMode="numeric"
        min={0}
        max={100}
        step={1}
        required
        autoComplete="off"
        defaultValue={initial.discountPercentage}
        hint="The highest discount a customer can get."
      />
      <div>
        <Field
          state={field('startTime')}
          label="Start"
          {...dateTimeInput}
          autoFocus={focusStart}
          defaultValue={initial.startTime}
          hint="Indian time (IST)."
        />
        <ButtonGroup label="Start">
          <TimeButton label="Now" onPress={() => fill({ startTime: nowInIndia() })} />
        </ButtonGroup>
      </div>
      <div>
        <Field
          state={field('endTime')}
          label="End"
          {...dateTimeInput}
          defaultValue={initial.endTime}
          hint="Indian time (IST)."
        />
        <ButtonGroup label="How long">
          {DURATIONS.map(({ label, ms }) => (
            <TimeButton key={label} label={label} onPress={() => setDuration(ms)} />
          ))}
        </ButtonGroup>
      </div>
    </>
  )
}

function ButtonGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="mt-2 flex flex-wrap gap-2">
      {children}
    </div>
  )
}

function TimeButton({ label, onPress }: { label: string; onPress: () => void }) {
  return <Button label={label} className="px-4 text-sm" onClick={onPress} />
}

/** Adds `ms` to a date and time in India. Calculating in UTC is correct, because India has no daylight saving time. */
function addDuration(from: string, ms: number): string {
  const start = Date.parse(`${from}Z`)
  return Number.isNaN(start) ? '' : new Date(start + ms).toISOString().slice(0, 16)
}

interface DealPreviewProps {
  product: { name: string; price: number } | undefined
  values: DealFormValues
}

export function DealPreview({ product, values }: DealPreviewProps) {
  const percent = parsePercent(values.discountPercentage)
  const runTime = formatRunTime(values)
  return (
    <output className="block min-h-16 rounded-xl bg-cream-deep px-4 py-3">
      {product ? (
        <>
          <span className="block font-semibold">{product.name}</span>
          {percent ? (
            <>
              <span className="block">
                <s className="text-ink/70">{formatRupees(product.price)}</s>{' '}
                <b className="text-chilli">
                  {dealOfferText(percent, formatRupees(lowestPrice(product.price, percent)))}
                </b>
              </span>
              <span className="block text-sm text-ink/70">
                {percent === 1
                  ? 'Each customer can draw one discount of 1%.'
                  : `Each customer can draw one discount of 1% to ${percent}%.`}{' '}
                {runTime}
              </span>
            </>
          ) : (
            <span className="block">
              {formatRupees(product.price)}
              {percent === 0 && ', no discount'}
            </span>
          )}
        </>
      ) : (
        <span className="block text-ink/70">Preview: fill in the form to see what customers will see.</span>
      )}
    </output>
  )
}

export function findErrorField({ code }: ShopError): DealFormField | undefined {
  if (code === 'DEAL_OVERLAPS') return 'startTime'
  return code === 'PRODUCT_NOT_FOUND' ? 'productId' : undefined
}
