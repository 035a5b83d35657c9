import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { formatPaise, type Paise } from '#lib/money.ts'

export function CartTotal({ total }: { total: Paise }) {
  return (
    <div>
      <p className="flex items-baseline justify-between gap-4 text-xl font-semibold">
        Total
        <output aria-label="Cart total" className="tabular-nums text-chilli">
          {formatPaise(total)}
        </output>
      </p>
      <p className="text-sm text-ink/70">{CHECKOUT_MESSAGES.totalNote}</p>
    </div>
  )
}
