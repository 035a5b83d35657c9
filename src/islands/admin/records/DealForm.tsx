import { type SubmitEvent, useState } from 'react'
import {
  DEAL_FORM,
  type DealFields,
  EMPTY_DEAL,
  formatRunTime,
  lowestPrice,
  parsePercent,
  toDealFields,
  toRepeatTyped
} from '#lib/admin/discount-forms.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { DEAL_PERCENT } from '#lib/constants.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import type { AdminDeal } from '#lib/contract/promotions.ts'
import { t, text } from '#lib/contract/texts.ts'
import { highestDraw } from '#lib/catalog/deal-view.ts'
import type { ShopError } from '#lib/errors.ts'
import { dealOfferText } from '#lib/messages.ts'
import { formatPriceRange, formatRupees } from '#lib/money.ts'
import { formatPack } from '#lib/product.ts'
import { changeDeal, createDeal, readDeal } from '#lib/stores/admin/records.ts'
import { getShopTime } from '#lib/stores/shop-clock.ts'
import { notify } from '#lib/stores/toasts.ts'
import { DAY, HOUR, toIndianDateTime } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFields } from '../ui/FormFields.tsx'
import { DraftNotice, RecordForm } from '../ui/RecordForm.tsx'
import { useReset } from '../ui/RecordPage.tsx'
import { type OpenRecord, type RecordFormState, useRecordForm } from '../ui/use-record-form.ts'
import { Card, NEW_ID, Note } from '../ui/views.tsx'

const DEAL_RULES = {
  form: DEAL_FORM,
  fieldForError: ({ code }: ShopError): string | undefined => {
    if (code === 'DEAL_OVERLAPS') return 'startTime'
    return code === 'PRODUCT_NOT_FOUND' ? 'productId' : undefined
  },
  read: ({ id }: AdminDeal) => readDeal(id),
  save: (latest: AdminDeal, edits: Partial<DealFields>) => {
    const { productId: _, ...terms } = { ...toDealFields(latest), ...edits }
    return changeDeal(latest, { ...terms, version: latest.version })
  }
} as const

// The product of a deal can't be changed, because customers may have drawn discounts for it.
const TERM_SPECS = DEAL_FORM.specs.filter(({ name }) => name !== 'productId')

export function DealForm({ deal, record }: { deal: AdminDeal; record: OpenRecord<AdminDeal> }) {
  const { product, discountPercentage } = deal
  const form = useRecordForm({ ...record, ...DEAL_RULES, name: () => deal.name })
  const { onSubmit, question } = useDeepDiscount({ form, product, before: discountPercentage })
  return (
    <RecordForm
      label={t('Edit flash deal')}
      form={{ ...form, form: { ...form.form, onSubmit } }}
      saveLabel={t('Save flash deal')}
    >
      <div className="grid grid-cols-1 items-start gap-5 md:grid-cols-3">
        <FormFields specs={TERM_SPECS} form={form} below={timeButtons(form)} />
      </div>
      <DealPreview product={product} typed={form.typed} />
      {question}
    </RecordForm>
  )
}

interface NewDealProps {
  visibleProducts: readonly AdminProduct[]
  dealToRepeat: AdminDeal | undefined
}

export function NewDeal(props: NewDealProps) {
  const { count, onReset } = useReset()
  const id = props.dealToRepeat ? `repeat ${props.dealToRepeat.id}` : NEW_ID
  return (
    <Card id="new-deal" title={t('Add flash deal')} className="p-4 sm:p-6">
      <NewDealForm key={`${id} ${count}`} id={id} {...props} onReset={() => onReset()} />
    </Card>
  )
}

interface NewDealFormProps extends NewDealProps {
  id: string
  onReset: () => void
}

function NewDealForm({ id, visibleProducts, dealToRepeat, onReset }: NewDealFormProps) {
  const choices = visibleProducts.map(
    ({ id: value, name, price, quantity }) =>
      [
        value,
        t('{name}, {price} for {pack}', {
          name,
          price: formatRupees(price),
          pack: formatPack(quantity)
        })
      ] as const
  )
  const findProduct = (productId: unknown) => visibleProducts.find(each => each.id === productId)
  const form = useRecordForm({
    ...DEAL_RULES,
    draftName: `deal ${id}`,
    name: ({ productId }) => findProduct(productId)?.name ?? t('Flash deal'),
    item: undefined,
    empty: dealToRepeat ? toRepeatTyped(dealToRepeat) : EMPTY_DEAL,
    choices: { category: [], product: choices },
    create: async fields => {
      await createDeal({ ...fields, originalPrice: product?.price })
      notify({ title: t('Discounted product created successfully'), text: product?.name ?? '' })
      form.fill(EMPTY_DEAL)
    },
    errorTitle: t('Failed to create discounted product'),
    onReset
  })
  const { failure, busy, typed } = form
  const product = findProduct(typed['productId'])
  const { onSubmit, question } = useDeepDiscount({ form, product })
  return (
    <form
      {...form.form}
      onSubmit={onSubmit}
      aria-labelledby="new-deal"
      className="mt-4 grid grid-cols-1 gap-5"
    >
      <DraftNotice form={form} />
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
        <FormFields
          specs={DEAL_FORM.specs}
          form={form}
          below={timeButtons(form)}
          autoFocus={dealToRepeat && 'startTime'}
        />
      </div>
      <DealPreview product={product} typed={typed} />
      {question}
      <Failure failure={failure} busy={busy} />
      <div className="sm:justify-self-start">
        <SubmitButton label={t('Add flash deal')} busyLabel={t('Adding…')} busy={busy} />
      </div>
    </form>
  )
}

const DURATIONS = [
  [text('3 hours'), 3 * HOUR],
  [text('1 day'), DAY],
  [text('1 week'), 7 * DAY]
] as const

function timeButtons({ typed, fill }: RecordFormState) {
  const nowInIndia = () => toIndianDateTime(new Date(getShopTime()).toISOString())
  const setDuration = (ms: number) => {
    const startTime = String(typed['startTime']) || nowInIndia()
    fill({ startTime, endTime: addDuration(startTime, ms) })
  }
  const toGroup = (label: string, times: readonly [label: string, onClick: () => void][]) => (
    <div role="group" aria-label={label} className="mt-2 flex flex-wrap gap-2">
      {times.map(([time, onClick]) => (
        <Button key={time} label={time} className="px-4 text-sm" onClick={onClick} />
      ))}
    </div>
  )
  return {
    startTime: toGroup(t('Start'), [[t('Now'), () => fill({ startTime: nowInIndia() })]]),
    endTime: toGroup(
      t('How long'),
      DURATIONS.map(([label, ms]) => [t(label), () => setDuration(ms)])
    )
  }
}

function addDuration(from: string, ms: number) {
  const start = Date.parse(`${from}Z`)
  return Number.isNaN(start) ? '' : new Date(start + ms).toISOString().slice(0, 16)
}

interface Product {
  name: string
  price: number
}

function DealPreview({ product, typed }: { product: Product | undefined; typed: Typed }) {
  return (
    <output className="block min-h-16 rounded-xl bg-cream-deep px-4 py-3">
      {product ? (
        <>
          <span className="block font-semibold">{product.name}</span>
          <Offer price={product.price} typed={typed} />
        </>
      ) : (
        <span className="block text-ink/70">
          {t('Preview: fill in the form to see what customers will see.')}
        </span>
      )}
    </output>
  )
}

function Offer({ price, typed }: { price: number; typed: Typed }) {
  const exact = parsePercent(typed['discountPercentage'])
  const percent = exact === undefined ? undefined : highestDraw(exact)
  if (!percent) {
    return (
      <span className="block">
        {percent === 0
          ? t('{price}, no discount. Customers won’t see this deal.', {
              price: formatRupees(price)
            })
          : formatRupees(price)}
      </span>
    )
  }
  return (
    <>
      <span className="block">
        <s className="text-ink/70">{formatRupees(price)}</s>{' '}
        <b className="text-chilli">
          {dealOfferText(percent)} · {t('pay {price}', { price: formatPriceRange(price, percent) })}
        </b>
      </span>
      <Note>
        {percent === 1
          ? t('Each customer can draw one discount of 1%.')
          : t('Each customer can draw one discount of 1% to {percent}%.', { percent })}{' '}
        {formatRunTime(typed)}
      </Note>
    </>
  )
}

interface DeepDiscountRules {
  form: RecordFormState
  product: Product | undefined
  /** The discount before the edit. It is not asked about again. */
  before?: number
}

/** Asks before an unusually high discount is saved: a typing mistake would cost money. */
function useDeepDiscount({ form, product, before = 0 }: DeepDiscountRules) {
  const { onSubmit } = form.form
  const [asked, setAsked] = useState<{ percent: number; event: SubmitEvent }>()
  const percent = asked?.percent ?? 0
  const close = () => setAsked(undefined)
  const confirm = () => {
    close()
    if (asked) onSubmit(asked.event)
  }
  const question = (
    <Dialog
      open={asked !== undefined}
      onClose={close}
      title={t('Up to {percent}% off?', { percent })}
      shape="box"
    >
      <div className="grid gap-4 px-4 pb-4">
        {product && (
          <p>
            {t(
              percent >= 90
                ? 'Customers can get this nearly free: as little as {price}. Sure?'
                : 'Customers can get this for as little as {price}. Sure?',
              { price: formatRupees(lowestPrice(product.price, percent)) }
            )}
          </p>
        )}
        <div className="flex flex-wrap-reverse justify-end gap-3">
          <Button label={t('Change it')} onClick={close} />
          <Button look="primary" label={t('Yes, save it')} onClick={confirm} />
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
