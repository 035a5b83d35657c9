import { useStore } from '@nanostores/react'
import {
  DEAL_FORM_FIELDS,
  DEAL_LABELS,
  formatDealField,
  formatDealState,
  parseDealForm,
  toDealFormValues,
  toDealState,
  toDealTerms,
  validateDeal,
  type DealFormField,
  type DealTerms
} from '#lib/admin/deal-form.ts'
import { pickEdits } from '#lib/admin/form.ts'
import { ADMIN_MESSAGES, formatDrawnCount } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { changeDeal, deleteDeal, readDeal } from '#lib/stores/admin/deals.ts'
import { $now, getShopTime } from '#lib/stores/deals.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Fact } from '../../ui/Facts.tsx'
import { toQuery } from '../../ui/history.ts'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { FormWithDraft, type FormDraft } from '../ui/FormDraft.tsx'
import { RecordForm, useRecordForm } from '../ui/RecordForm.tsx'
import { RecordView } from '../ui/RecordView.tsx'
import type { SaveRules } from '../ui/use-saving.ts'
import { viewLink } from '../ui/view-link.ts'
import { DealPreview, findErrorField, TermFields } from './DealFields.tsx'

export function DealEditor({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <RecordView
      id={id}
      noun="deal"
      read={readDeal}
      getTitle={({ name }) => name}
      notFoundText={ADMIN_MESSAGES.dealNotFound}
    >
      {(deal, takeTheirs) => <Deal deal={deal} onUseTheirs={takeTheirs} onClose={onClose} />}
    </RecordView>
  )
}

interface DealProps {
  deal: AdminDeal
  onUseTheirs: (deal: AdminDeal) => void
  onClose: () => void
}

function Deal({ deal, onUseTheirs, onClose }: DealProps) {
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
      {toDealState(deal, now) === 'ended' ? (
        <EndedDeal deal={deal} />
      ) : (
        <FormWithDraft key={deal.version} kind="deal" id={id} names={DEAL_FORM_FIELDS}>
          {draft => <DealForm original={deal} draft={draft} onUseTheirs={onUseTheirs} onClose={onClose} />}
        </FormWithDraft>
      )}
      <div>
        <ChangeHistory kinds={['deal']} id={id} labels={DEAL_LABELS} format={formatDealField} />
        <div className="border-t border-brass/40 pt-4">
          <DeleteDeal deal={deal} onDone={onClose} />
        </div>
      </div>
    </article>
  )
}

function EndedDeal({ deal }: { deal: AdminDeal }) {
  const { id, originalPrice, currentPrice, discountPercentage, startTime, endTime } = deal
  const lowestPrice = formatRupees(currentPrice)
  return (
    <>
      <p>{ADMIN_MESSAGES.dealEnded}</p>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Fact term="Discount">up to {discountPercentage}%</Fact>
        <Fact term="Price">{`${formatRupees(originalPrice)}, or as low as ${lowestPrice} with the discount`}</Fact>
        <Fact term="Start">{formatDayAndTime(startTime)}</Fact>
        <Fact term="End">{formatDayAndTime(endTime)}</Fact>
      </dl>
      <p>
        <ButtonLink look="primary" label="Repeat this deal" {...viewLink(toQuery({ like: id }))} />
      </p>
    </>
  )
}

const SAVE_RULES: SaveRules<AdminDeal, DealTerms> = {
  getFields: toDealTerms,
  read: ({ id }) => readDeal(id),
  save: (original, latest, fields) => {
    const edits = pickEdits(toDealTerms(original), fields)
    return changeDeal(latest, { ...toDealTerms(latest), ...edits, version: latest.version })
  },
  labels: DEAL_LABELS,
  format: formatDealField,
  savedMessage: (_, { name }) => ({ title: name, text: ADMIN_MESSAGES.saved })
}

type DealFormProps = Omit<DealProps, 'deal'> & { original: AdminDeal; draft: FormDraft<DealFormField> }

/** The form can't change the product, because customers may already have received discounts for the product. */
function DealForm({ original, draft, onUseTheirs, onClose }: DealFormProps) {
  const form = useRecordForm({
    names: DEAL_FORM_FIELDS,
    draft,
    original,
    getInitial: () => toDealFormValues(original),
    check: values => validateDeal({ ...values, productId: original.product._id }),
    parse: values => parseDealForm(values, original),
    saveRules: SAVE_RULES,
    fieldForError: findErrorField,
    onUseTheirs,
    onClose
  })
  return (
    <RecordForm label="Edit deal" form={form} saveLabel="Save deal">
      <div className="grid grid-cols-1 items-start gap-5 md:grid-cols-3">
        <TermFields field={form.field} initial={form.initial} values={form.values} fill={form.fill} />
      </div>
      <DealPreview product={original.product} values={form.formValues} />
    </RecordForm>
  )
}

export function DeleteDeal({ deal, onDone }: { deal: AdminDeal; onDone?: () => void }) {
  const { name, drawn } = deal
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete deal for ${name}`}
      title="Delete this deal?"
      confirmLabel="Delete deal"
      busyLabel="Deleting…"
      errorTitle={ADMIN_MESSAGES.dealDeleteFailed}
      onConfirm={async () => {
        await deleteDeal(deal)
        notify({ title: MESSAGES.dealDeleted, text: name })
        onDone?.()
      }}
    >
      {name} goes back to its normal price right away. {formatDrawnCount(drawn)}.
      {drawn > 0 && ' Customers who drew a discount but have not ordered will lose it.'} This can’t be undone.
    </ConfirmButton>
  )
}
