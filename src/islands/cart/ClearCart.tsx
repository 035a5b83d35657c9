import { useState } from 'react'
import { Dialog } from '../ui/Dialog.tsx'

/** Takes everything out, once it was asked whether that is meant. */
export function ClearCart({ onClear }: { onClear: () => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <button type="button" className="link target" aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Clear cart
      </button>
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
