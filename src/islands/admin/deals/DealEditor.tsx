import { useStore } from '@nanostores/react'
import { useState } from 'react'
import {
  DEAL_FORM,
  DEAL_MESSAGES,
  EMPTY_DEAL,
  formatDealState,
  toDealState,
  toRepeatTyped
} from '#lib/admin/discount-forms.ts'
import { formatDrawnCount } from '#lib/admin/messages.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { createDeal, deleteDeal, readDeal } from '#lib/stores/admin/records.ts'
import { $now, getShopTime } from '#lib/stores/shop-clock.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton, Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { Fact } from '../../ui/Facts.tsx'
import { pushQuery, toQuery } from '../../ui/history.ts'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { DraftNotice, RecordForm } from '../ui/RecordForm.tsx'
import { RecordEditor } from '../ui/RecordEditor.tsx'
import { viewLink } from '../ui/views.tsx'
import { useRecordForm } from '../ui/use-record-form.ts'
import { DEAL_RULES, DealField, DealPreview, TermFields, useDeepDiscount } from './DealFields.tsx'

export function DealEditor({ id }: { id: string }) {
  return (
    <RecordEditor id={id} kind="deal" read={readDeal} getTitle={({ name }) => name}>
      {(deal, reset) => deal && <Deal deal={deal} onReset={reset} />}
    </RecordEditor>
  )
}

interface DealProps {
  deal: AdminDeal
  onReset: (deal?: AdminDeal) => void
}

function Deal(props: DealProps) {
  const { deal } = props
  const now = useStore($now) ?? getShopTime()
  const { id, name, product, drawn, hidden } = deal
  return (
    <article aria-label={name} className="card grid gap-5 p-4 sm:p-6">
      <div>
        <p className="font-semibold">{formatDealState(deal, now)}</p>
        <p className="text-sm text-ink/70">{formatDrawnCount(drawn)}</p>
        {!hidden && (
          <p>
            <a className="link target" href={paths.product(product._id)}>
              View product on the website
            </a>
          </p>
        )}
      </div>
      {toDealState(deal, now) === 'ended' ? <EndedDeal deal={deal} /> : <DealForm {...props} />}
      <ChangeHistory kinds={['deal']} id={id} labels={DEAL_FORM.labels} format={DEAL_FORM.format}>
        <DeleteDeal deal={deal} onDone={() => pushQuery('')} />
      </ChangeHistory>
    </article>
  )
}

function EndedDeal({ deal }: { deal: AdminDeal }) {
  const { id, originalPrice, discountedPrice, discountPercentage, startTime, endTime } = deal
  const lowestPrice = formatRupees(discountedPrice)
  return (
    <>
      <p>This flash deal has ended and can’t be changed. Repeat it instead.</p>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Fact term="Discount">up to {discountPercentage}%</Fact>
        <Fact term="Price">
          {formatRupees(originalPrice)}, or as low as {lowestPrice} with the discount
        </Fact>
        <Fact term="Start">{formatDayAndTime(startTime)}</Fact>
        <Fact term="End">{formatDayAndTime(endTime)}</Fact>
      </dl>
      <p>
        <ButtonLink
          look="primary"
          label="Repeat this flash deal"
          {...viewLink(toQuery({ like: id }))}
        />
      </p>
    </>
  )
}

/** The product can't be changed, because customers may have drawn discounts for it. */
function DealForm({ deal, onReset }: DealProps) {
  const { id, product, discountPercentage } = deal
  const form = useRecordForm({ ...DEAL_RULES, draftName: `deal ${id}`, item: deal, onReset })
  const { onSubmit, question } = useDeepDiscount({ form, product, before: discountPercentage })
  return (
    <RecordForm
      label="Edit flash deal"
      form={{ ...form, form: { ...form.form, onSubmit } }}
      saveLabel="Save flash deal"
    >
      <div className="grid grid-cols-1 items-start gap-5 md:grid-cols-3">
        <TermFields form={form} />
      </div>
      <DealPreview product={product} typed={form.typed} />
      {question}
    </RecordForm>
  )
}

const DELETION_TEXTS = {
  running: (name: string) => `${name} goes back to its normal price right away.`,
  scheduled: (name: string) => `The flash deal for ${name} will not start.`,
  ended: (name: string) => `The price of ${name} stays the same.`
}

export function DeleteDeal({ deal, onDone }: { deal: AdminDeal; onDone?: () => void }) {
  const { name, drawn } = deal
  const state = toDealState(deal, useStore($now) ?? getShopTime())
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete flash deal for ${name}`}
      title="Delete this flash deal?"
      confirmLabel="Delete flash deal"
      busyLabel="Deleting…"
      errorTitle="Failed to delete discounted product"
      onConfirm={async () => {
        await deleteDeal(deal)
        notify({ title: DEAL_MESSAGES.dealDeleted, text: name })
        onDone?.()
      }}
    >
      {DELETION_TEXTS[state](name)} {formatDrawnCount(drawn)}.
      {state === 'running' &&
        drawn > 0 &&
        ' Customers who drew a discount but have not ordered will lose it.'}{' '}
      This can’t be undone.
    </ConfirmButton>
  )
}

interface NewDealProps {
  visibleProducts: readonly AdminProduct[]
  dealToRepeat: AdminDeal | undefined
}

export function NewDeal(props: NewDealProps) {
  const [resetCount, setResetCount] = useState(0)
  const id = props.dealToRepeat ? `repeat ${props.dealToRepeat.id}` : ''
  return (
    <section aria-labelledby="new-deal" className="card p-4 sm:p-6">
      <h2 id="new-deal" className="mb-4 text-lg">
        Add flash deal
      </h2>
      <NewDealForm
        key={`${id} ${resetCount}`}
        id={id}
        {...props}
        onReset={() => setResetCount(resetCount + 1)}
      />
    </section>
  )
}

function NewDealForm({
  id,
  visibleProducts,
  dealToRepeat,
  onReset
}: NewDealProps & { id: string; onReset: () => void }) {
  const choices = visibleProducts.map(
    ({ id: value, name, price, quantity }) =>
      [value, `${name}, ${formatRupees(price)} for ${formatPack(quantity)}`] as const
  )
  const form = useRecordForm({
    ...DEAL_RULES,
    draftName: `deal ${id}`,
    item: undefined,
    empty: dealToRepeat ? toRepeatTyped(dealToRepeat) : EMPTY_DEAL,
    choices: { category: [], product: choices },
    create: async fields => {
      await createDeal({ ...fields, originalPrice: product?.price })
      notify({ title: 'Discounted product created successfully', text: product?.name ?? '' })
      form.fill(EMPTY_DEAL)
    },
    errorTitle: 'Failed to create discounted product',
    onReset
  })
  const { failure, busy, typed } = form
  const product = visibleProducts.find(({ id }) => id === typed['productId'])
  const { onSubmit, question } = useDeepDiscount({ form, product })
  return (
    <form
      {...form.form}
      onSubmit={onSubmit}
      aria-labelledby="new-deal"
      className="grid grid-cols-1 gap-5"
    >
      <DraftNotice form={form} />
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
        <DealField form={form} name="productId" />
        <TermFields form={form} focusStart={dealToRepeat !== undefined} />
      </div>
      <DealPreview product={product} typed={typed} />
      {question}
      <Failure failure={failure} busy={busy} />
      <div className="sm:justify-self-start">
        <SubmitButton label="Add flash deal" busyLabel="Adding…" busy={busy} />
      </div>
    </form>
  )
}
