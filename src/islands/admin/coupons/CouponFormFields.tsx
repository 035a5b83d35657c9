import { splitCategories, type CouponFormField, type CouponFormValues } from '#lib/admin/coupon-form.ts'
import { COUPON_LIMITS } from '#lib/constants.ts'
import { Field, Problem, SelectField } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import type { Category } from './CouponEditor.tsx'

interface CouponFormFieldsProps {
  field: (name: CouponFormField) => FieldState
  formValues: CouponFormValues
  fill: (values: Partial<CouponFormValues>) => void
  categories: readonly Category[]
}

export function CouponFormFields({ field, formValues, fill, categories }: CouponFormFieldsProps) {
  const isPercent = formValues.kind === 'percent'
  const time = { type: 'datetime-local' } as const
  return (
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
        choices={[
          ['percent', 'Percent'],
          ['amount', 'Amount in rupees']
        ]}
      />
      <Field
        state={field('discount')}
        label={isPercent ? 'Discount (%)' : 'Discount (₹)'}
        required
        inputMode="decimal"
        hint={isPercent ? 'Of the regular price of each item.' : 'Shared among the items of the order.'}
      />
      <Field
        state={field('minimum')}
        label="Minimum order (optional)"
        prefix="₹"
        inputMode="decimal"
        hint="What the items must cost before the coupon."
      />
      <Field state={field('startTime')} label="Start" required {...time} hint="Indian time (IST)." />
      <Field
        state={field('endTime')}
        label="End (optional)"
        {...time}
        hint="Indian time (IST). Without an end, it runs until you end it."
      />
      <SelectField
        state={field('oncePerPerson')}
        label="How often can a person use it?"
        choices={[
          ['yes', 'Once'],
          ['no', 'As often as they like']
        ]}
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
        choices={[
          ['no', 'No (₹1 a pack stays)'],
          ['yes', 'Yes']
        ]}
      />
      <Categories
        state={field('categories')}
        chosen={splitCategories(formValues.categories)}
        categories={categories}
        onChange={names => fill({ categories: names.join(',') })}
      />
      <p className="text-ink/70 sm:col-span-2">
        An item never has two reductions: customers pay the lowest of coupon, sale price and drawn discount.
      </p>
    </div>
  )
}

interface CategoriesProps {
  state: FieldState
  chosen: readonly string[]
  categories: readonly Category[]
  onChange: (names: readonly string[]) => void
}

function Categories({ state, chosen, categories, onChange }: CategoriesProps) {
  return (
    <fieldset className="sm:col-span-2" aria-describedby={state.describedBy}>
      <legend className="mb-1 font-semibold">Only for these categories (none chosen: for all)</legend>
      {/* Not defaultValue: React would reset the value of a hidden field at each render. */}
      <input type="hidden" name={state.name} value={chosen.join(',')} />
      <div className="flex flex-wrap gap-x-6">
        {categories.map(({ name, label }) => (
          <label key={name} className="flex min-h-target cursor-pointer items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-chilli"
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                onChange([...chosen.filter(other => other !== name), ...(target.checked ? [name] : [])])
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
