import {
  COUPON_FORM_FIELDS,
  COUPON_LABELS,
  COUPON_STATES,
  createEmptyCoupon,
  extractCouponFields,
  formatCouponDiscount,
  formatCouponField,
  formatUses,
  parseCouponForm,
  toCouponFormValues,
  validateCoupon
} from '#lib/admin/coupon-form.ts'
import { pickEdits } from '#lib/admin/form.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminCoupon, CouponFields } from '#lib/contract/coupons.ts'
import { changeCoupon, createCoupon, endCoupon, readCoupon } from '#lib/stores/admin/coupons.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Fact } from '../../ui/Facts.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { RecordForm, useRecordForm } from '../ui/RecordForm.tsx'
import { RecordView } from '../ui/RecordView.tsx'
import { useFormDraft } from '../ui/form-draft.ts'
import type { SaveRules } from '../ui/use-saving.ts'
import { CouponFormFields } from './CouponFormFields.tsx'

export interface Category {
  name: string
  label: string
}

interface CouponEditorProps {
  id: string
  categories: readonly Category[]
  onClose: () => void
}

export function CouponEditor({ id, categories, onClose }: CouponEditorProps) {
  return (
    <RecordView id={id} kind="coupon" read={readCoupon} getTitle={({ code }) => code}>
      {(coupon, reset) => (
        <>
          {coupon?.state === 'ended' ? (
            <EndedCoupon coupon={coupon} />
          ) : (
            <CouponForm id={id} original={coupon} categories={categories} onReset={reset} onClose={onClose} />
          )}
          {coupon && (
            <div className="mt-8 pb-4">
              <ChangeHistory kinds={['coupon']} id={id} labels={COUPON_LABELS} format={formatCouponField}>
                {coupon.state !== 'ended' && <EndCoupon coupon={coupon} onDone={onClose} />}
              </ChangeHistory>
            </div>
          )}
        </>
      )}
    </RecordView>
  )
}

const SAVE_RULES: SaveRules<AdminCoupon, CouponFields> = {
  getFields: extractCouponFields,
  read: ({ id }) => readCoupon(id),
  save: (original, latest, fields) => {
    const edits = pickEdits(extractCouponFields(original), fields)
    return changeCoupon(latest.id, { ...extractCouponFields(latest), ...edits, version: latest.version })
  },
  labels: COUPON_LABELS,
  format: formatCouponField,
  savedMessage: ({ code }) => ({ title: `Coupon ${code} saved` })
}

interface CouponFormProps extends CouponEditorProps {
  original: AdminCoupon | undefined
  onReset: (coupon?: AdminCoupon) => void
}

function CouponForm({ id, original, categories, onReset, onClose }: CouponFormProps) {
  const draft = useFormDraft('coupon', id, COUPON_FORM_FIELDS)
  const form = useRecordForm({
    names: COUPON_FORM_FIELDS,
    draft,
    original,
    getInitial: () => (original ? toCouponFormValues(original) : createEmptyCoupon(Date.now())),
    check: validateCoupon,
    parse: values => parseCouponForm(values, original),
    create: async fields => {
      await createCoupon({ ...fields, key: draft.key })
      notify({ title: `Coupon ${fields.code} created` })
    },
    saveRules: SAVE_RULES,
    onReset,
    onClose
  })
  return (
    <RecordForm label="Coupon" form={form} saveLabel={original ? 'Save coupon' : 'Create coupon'}>
      {original && (
        <p>
          {COUPON_STATES[original.state]} · used {formatUses(original)}
        </p>
      )}
      <CouponFormFields field={form.field} formValues={form.formValues} fill={form.fill} categories={categories} />
    </RecordForm>
  )
}

function EndedCoupon({ coupon }: { coupon: AdminCoupon }) {
  const { startTime, endTime } = coupon
  return (
    <>
      <p>{ADMIN_MESSAGES.couponEnded}</p>
      <dl className="mt-4 grid gap-4 sm:grid-cols-2">
        <Fact term="Discount">{formatCouponDiscount(coupon)}</Fact>
        <Fact term="Uses">{formatUses(coupon)}</Fact>
        <Fact term="Start">{formatDayAndTime(startTime)}</Fact>
        <Fact term="End">{endTime !== null && formatDayAndTime(endTime)}</Fact>
      </dl>
    </>
  )
}

export function EndCoupon({ coupon: { id, code }, onDone }: { coupon: AdminCoupon; onDone?: () => void }) {
  return (
    <ConfirmButton
      label="End now"
      name={`End ${code} now`}
      title={`End ${code} now?`}
      confirmLabel="End coupon"
      busyLabel="Ending…"
      errorTitle={ADMIN_MESSAGES.couponEndFailed}
      onConfirm={async () => {
        await endCoupon(id)
        notify({ title: `Coupon ${code} ended` })
        onDone?.()
      }}
    >
      Nobody can use it from now on. Payments that are already open keep it. This can’t be undone.
    </ConfirmButton>
  )
}
