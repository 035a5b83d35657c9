import { useStore } from '@nanostores/react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import type { CartView } from '#lib/cart/view.ts'
import { couponProblemText } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatPaise, formatRupees } from '#lib/money.ts'
import { $coupon, $lostCoupon, removeCoupon, type SavedCoupon } from '#lib/stores/coupon.ts'
import { applyCoupon } from '#lib/stores/quote.ts'
import { Button } from '../ui/Button.tsx'
import { Failure, SubmitButton } from '../ui/Buttons.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { Field } from '../ui/Field.tsx'
import { useForm } from '../ui/use-form.ts'

const texts = {
  couponQuestion: 'Have a coupon code?',
  couponMissing: 'Please enter your coupon code',
  couponFailed: 'We couldn’t check the code'
}

export function CouponBox({ view }: { view: CartView }) {
  const coupon = useStore($coupon)
  const lost = useStore($lostCoupon)
  const box = useRef<HTMLDivElement>(null)
  const focus = (selector: string) => box.current?.querySelector<HTMLElement>(selector)?.focus()

  return (
    <div ref={box} className="grid gap-2 [&>details]:border-0">
      {coupon && (
        <AppliedCoupon
          coupon={coupon}
          result={view.coupon}
          onRemove={() => {
            flushSync(removeCoupon)
            focus('summary')
          }}
        />
      )}
      {!coupon && (
        <Disclosure title={texts.couponQuestion}>
          {() => <CouponForm onApplied={() => focus('button')} />}
        </Disclosure>
      )}
      {/* Rendered even if empty, so that screen readers announce later changes. */}
      <p role="status" className="break-words font-semibold text-chilli empty:hidden">
        {lost && `${lost.code}: ${couponProblemText(lost.problem ?? 'unknown', '')}`}
      </p>
    </div>
  )
}

interface AppliedCouponProps {
  coupon: SavedCoupon
  result: CartView['coupon']
  onRemove: () => void
}

function AppliedCoupon({ coupon: { code, terms }, result, onRemove }: AppliedCouponProps) {
  return (
    <>
      <div className="flex items-baseline justify-between gap-4">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="break-all">Coupon {code}</span>
          <Button
            look="link"
            label="Remove"
            aria-label={`Remove coupon ${code}`}
            onClick={onRemove}
          />
        </p>
        <span aria-live="polite" className="whitespace-nowrap font-semibold tabular-nums text-leaf">
          {result && 'discount' in result && `−${formatPaise(result.discount)}`}
        </span>
      </div>
      <p aria-live="polite" className="text-sm font-semibold text-chilli empty:hidden">
        {result &&
          'problem' in result &&
          couponProblemText(result.problem, formatRupees(terms?.minimum ?? 0))}
      </p>
    </>
  )
}

function CouponForm({ onApplied }: { onApplied: () => void }) {
  const { form, field, busy, failure } = useForm({
    names: ['coupon'],
    check: ({ coupon }) => (coupon.trim() === '' ? { coupon: texts.couponMissing } : {}),
    send: async ({ coupon }) => {
      await applyCoupon(coupon)
      onApplied()
    },
    errorText: { title: texts.couponFailed, fallback: MESSAGES.tryAgain }
  })
  return (
    <form {...form} aria-label={texts.couponQuestion} className="grid gap-3">
      <Field
        state={field('coupon')}
        label="Coupon code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        enterKeyHint="done"
      />
      <Failure failure={failure} busy={busy} />
      <SubmitButton label="Apply" busyLabel="Checking…" busy={busy} secondary />
    </form>
  )
}
