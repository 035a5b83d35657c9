import { type ReactNode, type SubmitEvent, useState } from 'react'
import {
  DEAL_FORM_FIELDS,
  DEAL_LABELS,
  type DealFormField,
  type DealFormValues,
  type DealTerms,
  formatDealField,
  formatRunTime,
  lowestPrice,
  parsePercent,
  toDealTerms,
  validateDeal
} from '#lib/admin/deal-form.ts'
import { ADMIN_MESSAGES, deepDiscountText } from '#lib/admin/messages.ts'
import { DEAL_PERCENT } from '#lib/constants.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { highestDraw } from '#lib/deal-view.ts'
import type { ShopError } from '#lib/errors.ts'
import { dealOfferText } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { changeDeal, readDeal } from '#lib/stores/admin/deals.ts'
import { getShopTime } from '#lib/stores/shop-clock.ts'
import { DAY, HOUR, toIndianDateTime } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import type { SaveRules } from '../ui/use-saving.ts'

interface TermFieldsProps {
  field: (name: DealFormField) => FieldState
  values: () => DealFormValues
  fill: (values: Partial<DealFormValues>) => void
  focusStart?: boolean
}

const DURATIONS = [
  { label: '3 hours', ms: 3 * HOUR },
  { label: '1 day', ms: DAY },
  { label: '1 week', ms: 7 * DAY }
] as const

const TIME_BUTTON = 'px-4 text-sm'

/** The buttons set common times, because date pickers are slow to use on phones. */
export function TermFields({ field, values, fill, focusStart = false }: TermFieldsProps) {
  const nowInIndia = () => toIndianDateTime(new Date(getShopTime()).toISOString())
  const setDuration = (ms: number) => {
    const startTime = values().startTime || nowInIndia()
    fill({ startTime, endTime: addDuration(startTime, ms) })
  }
  const dateTimeInput = {
    type: 'datetime-local',
    required: true,
    hint: 'Indian time (IST).'
  } as const
  return (
    <>
      <Field
        state={field('discountPercentage')}
        label="Discount (%)"
        type="number"
        inputMode="decimal"
        min={0}
        max={100}
        step={0.5}
        required
        hint="The highest discount a customer can get."
      />
      <div>
        <Field state={field('startTime')} label="Start" {...dateTimeInput} autoFocus={focusStart} />
        <ButtonGroup label="Start">
          <Button
            label="Now"
            className={TIME_BUTTON}
            onClick={() => fill({ startTime: nowInIndia() })}
          />
        </ButtonGroup>
      </div>
      <div>
        <Field state={field('endTime')} label="End" {...dateTimeInput} />
        <ButtonGroup label="How long">
          {DURATIONS.map(({ label, ms }) => (
            <Button
              key={label}
              label={label}
              className={TIME_BUTTON}
              onClick={() => setDuration(ms)}
            />
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

/**
 * Adds `ms` to a date and time in India. Calculating in UTC is correct, because India has no
 * daylight saving time.
 */
function addDuration(from: string, ms: number): string {
  const start = Date.parse(`${from}Z`)
  return Number.isNaN(start) ? '' : new Date(start + ms).toISOString().slice(0, 16)
}

interface DealPreviewProps {
  product: { name: string; price: number } | undefined
  values: DealFormValues
}

export function DealPreview({ product, values }: DealPreviewProps) {
  const typed = parsePercent(values.discountPercentage)
  const percent = typed === undefined ? undefined : highestDraw(typed)
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
              {percent === 0 && ', no discount. Customers won’t see this deal.'}
            </span>
          )}
        </>
      ) : (
        <span className="block text-ink/70">
          Preview: fill in the form to see what customers will see.
        </span>
      )}
    </output>
  )
}

export const DEAL_FORM = {
  kind: 'deal',
  names: DEAL_FORM_FIELDS,
  fieldForError: ({ code }: ShopError): DealFormField | undefined => {
    if (code === 'DEAL_OVERLAPS') return 'startTime'
    return code === 'PRODUCT_NOT_FOUND' ? 'productId' : undefined
  },
  saveRules: {
    getFields: toDealTerms,
    read: ({ id }) => readDeal(id),
    save: (latest, edits) =>
      changeDeal(latest, { ...toDealTerms(latest), ...edits, version: latest.version }),
    labels: DEAL_LABELS,
    format: formatDealField,
    savedMessage: (_, { name }) => ({ title: name, text: ADMIN_MESSAGES.saved })
  } satisfies SaveRules<AdminDeal, DealTerms>
} as const

interface DeepDiscountRules {
  onSubmit: (event: SubmitEvent) => void
  values: () => DealFormValues
  product: { name: string; price: number } | undefined
  /** The discount before the edit. It is not asked about again. */
  before?: number
}

/**
 * Asks before a deal with an unusually high discount is saved, because a typing mistake would cost
 * money.
 */
export function useDeepDiscount({ onSubmit, values, product, before = 0 }: DeepDiscountRules) {
  const [asked, setAsked] = useState<{ percent: number; event: SubmitEvent }>()
  const percent = asked?.percent ?? 0
  const close = () => setAsked(undefined)
  const confirm = () => {
    close()
    if (asked) onSubmit(asked.event)
  }
  const question = (
    <Dialog open={asked !== undefined} onClose={close} title={`Up to ${percent}% off?`} shape="box">
      <div className="grid gap-4 px-4 pb-4">
        {product && (
          <p>{deepDiscountText(percent, formatRupees(lowestPrice(product.price, percent)))}</p>
        )}
        <div className="flex flex-wrap-reverse justify-end gap-3">
          <Button label="Change it" onClick={close} />
          <Button look="primary" label="Yes, save it" onClick={confirm} />
        </div>
      </div>
    </Dialog>
  )
  return {
    question,
    onSubmit: (event: SubmitEvent) => {
      const typed = highestDraw(parsePercent(values().discountPercentage) ?? 0)
      const isInvalid = Object.keys(validateDeal(values())).length > 0
      if (isInvalid || typed <= Math.max(DEAL_PERCENT.usual, before)) return onSubmit(event)
      event.preventDefault()
      setAsked({ percent: typed, event })
    }
  }
}
