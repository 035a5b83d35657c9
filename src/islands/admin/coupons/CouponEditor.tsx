import type { Choices } from '#lib/account/forms.ts'
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
import { splitList, withChosen } from '#lib/admin/form.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { COUPON_LIMITS } from '#lib/constants.ts'
import type { AdminCoupon, CouponFields } from '#lib/contract/coupons.ts'
import { changeCoupon, createCoupon, endCoupon, readCoupon } from '#lib/stores/admin/coupons.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDayAndTime } from '#lib/time.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Fact } from '../../ui/Facts.tsx'
import { Field, Problem, SelectField } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import { pushQuery } from '../../ui/history.ts'
import { RecordForm, useRecordForm } from '../ui/RecordForm.tsx'
import { RecordEditor } from '../ui/RecordEditor.tsx'
import type { SaveRules } from '../ui/use-saving.ts'

interface CouponEditorProps {
  id: string
  categories: readonly Category[]
}

export function CouponEditor({ id, categories }: CouponEditorProps) {
  return (
    <RecordEditor
      id={id}
      kind="coupon"
      read={readCoupon}
      getTitle={({ code }) => code}
      history={{ labels: COUPON_LABELS, format: formatCouponField }}
      actions={coupon =>
        coupon.state !== 'ended' && <EndCoupon coupon={coupon} onDone={() => pushQuery('')} />
      }
    >
      {(coupon, reset) =>
        coupon?.state === 'ended' ? (
          <EndedCoupon coupon={coupon} />
        ) : (
          <CouponForm id={id} original={coupon} categories={categories} onReset={reset} />
        )
      }
    </RecordEditor>
  )
}

const SAVE_RULES: SaveRules<AdminCoupon, CouponFields> = {
  getFields: extractCouponFields,
  read: ({ id }) => readCoupon(id),
  save: (latest, edits) =>
    changeCoupon(latest.id, { ...extractCouponFields(latest), ...edits, version: latest.version }),
  labels: COUPON_LABELS,
  format: formatCouponField,
  savedMessage: ({ code }) => ({ title: `Coupon ${code} saved` })
}

interface CouponFormProps extends CouponEditorProps {
  original: AdminCoupon | undefined
  onReset: (coupon?: AdminCoupon) => void
}

function CouponForm({ id, original, categories, onReset }: CouponFormProps) {
  const form = useRecordForm({
    kind: 'coupon',
    id,
    original,
    names: COUPON_FORM_FIELDS,
    getInitial: () => (original ? toCouponFormValues(original) : createEmptyCoupon(Date.now())),
    check: validateCoupon,
    parse: values => parseCouponForm(values, original),
    create: async (fields, key) => {
      await createCoupon({ ...fields, key })
      notify({ title: `Coupon ${fields.code} created` })
    },
    saveRules: SAVE_RULES,
    onReset
  })
  const { field, fill, formValues } = form
  const isPercent = formValues.kind === 'percent'
  const time = { type: 'datetime-local' } as const
  return (
    <RecordForm label="Coupon" form={form} saveLabel={original ? 'Save coupon' : 'Create coupon'}>
      {original && (
        <p>
          {COUPON_STATES[original.state]} · used {formatUses(original)}
        </p>
      )}
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
        <Field
          state={field('code')}
          label="Code"
          required
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={COUPON_LIMITS.code}
          hint="What customers type, for example DIWALI10."
        />
        <SelectField
          state={field('kind')}
          label="Kind of discount"
          choices={Object.entries({ percent: 'Percent', amount: 'Amount in rupees' })}
        />
        <Field
          state={field('discount')}
          label={isPercent ? 'Discount (%)' : 'Discount (₹)'}
          required
          inputMode="decimal"
          hint={
            isPercent
              ? 'Of the regular price of each item.'
              : 'Shared among the items of the order.'
          }
        />
        <Field
          state={field('minimum')}
          label="Minimum order (optional)"
          prefix="₹"
          inputMode="decimal"
          hint="What the items must cost before the coupon."
        />
        <Field
          state={field('startTime')}
          label="Start"
          required
          {...time}
          hint="Indian time (IST)."
        />
        <Field
          state={field('endTime')}
          label="End (optional)"
          {...time}
          hint="Indian time (IST). Without an end, it runs until you end it."
        />
        <SelectField
          state={field('oncePerPerson')}
          label="How often can a person use it?"
          choices={Object.entries({ yes: 'Once', no: 'As often as they like' })}
        />
        <Field
          state={field('maxUses')}
          label="Number of uses (optional)"
          inputMode="numeric"
          hint="By all customers together."
        />
        <SelectField
          state={field('mayBeFree')}
          label="May it make items free?"
          choices={Object.entries({ no: 'No (₹1 a pack stays)', yes: 'Yes' })}
        />
        <Categories
          state={field('categories')}
          chosen={splitList(formValues.categories)}
          categories={categories}
          onChange={names => fill({ categories: names.join(',') })}
        />
        <p className="text-ink/70 sm:col-span-2">
          An item never has two reductions: customers pay the lowest of coupon, sale price and drawn
          discount.
        </p>
      </div>
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

export function EndCoupon({
  coupon: { id, code },
  onDone
}: {
  coupon: AdminCoupon
  onDone?: () => void
}) {
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

interface CategoriesProps {
  state: FieldState
  chosen: readonly string[]
  categories: readonly Category[]
  onChange: (names: readonly string[]) => void
}

function Categories({ state, chosen, categories, onChange }: CategoriesProps) {
  const existing: Choices = categories.map(({ name, label }) => [name, label])
  // A category that no longer exists stays here after it is unchecked, because its checkbox has the
  // focus.
  const choices = splitList(state.initial ?? '').reduce(
    (known, name) => withChosen(known, name),
    existing
  )
  return (
    <fieldset className="sm:col-span-2" aria-describedby={state.describedBy}>
      <legend className="mb-1 font-semibold">
        Only for these categories (none chosen: for all)
      </legend>
      {/* Not defaultValue: React would reset the value of a hidden field at each render. */}
      <input type="hidden" name={state.name} value={chosen.join(',')} />
      <div className="flex flex-wrap gap-x-6">
        {choices.map(([name, label]) => (
          <label key={name} className="flex min-h-target cursor-pointer items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-chilli"
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                onChange([
                  ...chosen.filter(other => other !== name),
                  ...(target.checked ? [name] : [])
                ])
              }
            />
            {label}
          </label>
        ))}
      </div>
      <Problem state={state} />
    </fieldset>
  )
}
