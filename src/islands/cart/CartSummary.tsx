import { useState } from 'react'
import { MESSAGES } from '#lib/messages.ts'
import { formatPaise, type Paise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** What the cart comes to. */
export function CartSummary({ total, onClear }: { total: Paise; onClear: () => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <section aria-label="Summary" className="card flex flex-col gap-4 p-4 sm:p-6 lg:sticky lg:top-20">
        <p className="flex items-baseline justify-between gap-4 text-xl font-semibold">
          Total
          <output aria-label="Cart total" className="tabular-nums text-chilli">
            {formatPaise(total)}
          </output>
        </p>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <a href={paths.products} className="button-quiet">
            {MESSAGES.cartContinue}
          </a>
          <button type="button" className="link target" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            Clear cart
          </button>
        </div>
      </section>
      <Dialog open={asking} onClose={() => setAsking(false)} title="Clear the cart?" shape="box">
        <p className="px-4">Everything in it is taken out.</p>
        <div className="flex gap-3 p-4">
          <button type="button" className="button-quiet flex-1" onClick={() => setAsking(false)}>
            Keep it
          </button>
          <button
            type="button"
            className="button-primary flex-1"
            onClick={() => {
              setAsking(false)
              onClear()
            }}
          >
            Clear cart
          </button>
        </div>
      </Dialog>
    </>
  )
}
