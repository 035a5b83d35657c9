import { type ReactNode, type SubmitEvent, useState } from 'react'
import {
  DEAL_FORM,
  formatRunTime,
  lowestPrice,
  parsePercent,
  toDealFields,
  type DealFields
} from '#lib/admin/discount-forms.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { DEAL_PERCENT } from '#lib/constants.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { highestDraw } from '#lib/deal-view.ts'
import type { ShopError } from '#lib/errors.ts'
import { dealOfferText } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { changeDeal, readDeal } from '#lib/stores/admin/records.ts'
import { getShopTime } from '#lib/stores/shop-clock.ts'
import { DAY, HOUR, toIndianDateTime } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormField } from '../ui/FormField.tsx'
import type { RecordFormState } from '../ui/use-record-form.ts'

const DURATIONS = [
  { label: '3 hours', ms: 3 * HOUR },
  { label: '1 day', ms: DAY },
  { label: '1 week', ms: 7 * DAY }
] as const

const TIME_BUTTON = 'px-4 text-sm'

interface DealFieldProps {
  form: RecordFormState
  name: string
  autoFocus?: boolean
}

export function DealField({ form, name, autoFocus = false }: DealFieldProps) {
  const spec = DEAL_FORM.specs.find(each => each.name === name)
  return (
    spec && (
      <FormField
        spec={spec}
        path={name}
        context={form}
        value={form.typed[name]}
        autoFocus={autoFocus}
        onChange={value => form.change(name, value)}
      />
    )
  )
}

/** The buttons set common times, because date pickers are slow to use on phones. */
export function TermFields({
  form,
  focusStart = false
}: {
  form: RecordFormState
  focusStart?: boolean
}) {
  const nowInIndia = () => toIndianDateTime(new Date(getShopTime()).toISOString())
  const setDuration = (ms: number) => {
    const startTime = String(form.typed['startTime']) || nowInIndia()
    form.fill({ startTime, endTime: addDuration(startTime, ms) })
  }
  return (
    <>
      <DealField form={form} name="discountPercentage" />
      <div>
        <DealField form={form} name="startTime" autoFocus={focusStart} />
        <ButtonGroup label="Start">
          <Button
            label="Now"
            className={TIME_BUTTON}
            onClick={() => form.fill({ startTime: nowInIndia() })}
          />
        </ButtonGroup>
      </div>
      <div>
        <DealField form={form} name="endTime" />
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

function addDuration(from: string, ms: number): string {
  const start = Date.parse(`${from}Z`)
  return Number.isNaN(start) ? '' : new Date(start + ms).toISOString().slice(0, 16)
}

interface DealPreviewProps {
  product: { name: string; price: number } | undefined
  typed: Typed
}

export function DealPreview({ product, typed }: DealPreviewProps) {
  const exact = parsePercent(typed['discountPercentage'])
  const percent = exact === undefined ? undefined : highestDraw(exact)
  const runTime = formatRunTime(typed)
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

export const DEAL_RULES = {
  form: DEAL_FORM,
  fieldForError: ({ code }: ShopError): string | undefined => {
    if (code === 'DEAL_OVERLAPS') return 'startTime'
    return code === 'PRODUCT_NOT_FOUND' ? 'productId' : undefined
  },
  read: ({ id }: AdminDeal) => readDeal(id),
  save: (latest: AdminDeal, edits: Partial<DealFields>) => {
    const { productId: _, ...terms } = { ...toDealFields(latest), ...edits }
    return changeDeal(latest, { ...terms, version: latest.version })
  },
  savedMessage: (_: DealFields, { name }: AdminDeal) => ({
    title: name,
    text: ADMIN_MESSAGES.saved
  })
} as const

interface DeepDiscountRules {
  form: RecordFormState
  product: { name: string; price: number } | undefined
  /** The discount before the edit. It is not asked about again. */
  before?: number
}

/** Asks before an unusually high discount is saved: a typing mistake would cost money. */
export function useDeepDiscount({ form, product, before = 0 }: DeepDiscountRules) {
  const { onSubmit } = form.form
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
          <p>
            Customers can get this {percent >= 90 ? 'nearly free: ' : 'for '}as little as{' '}
            {formatRupees(lowestPrice(product.price, percent))}. Sure?
          </p>
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
      const typed = highestDraw(parsePercent(form.typed['discountPercentage']) ?? 0)
      const isInvalid = Object.keys(form.check()).length > 0
      if (isInvalid || typed <= Math.max(DEAL_PERCENT.usual, before)) return onSubmit(event)
      event.preventDefault()
      setAsked({ percent: typed, event })
    }
  }
}
