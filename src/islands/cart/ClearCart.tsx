import { useState } from 'react'
import { Dialog } from '../ui/Dialog.tsx'

export function ClearCart({ onClear }: { onClear: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="link target" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Clear cart
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Clear cart?" shape="box">
        <p className="px-4">All items will be removed.</p>
        <div className="flex gap-3 p-4">
          <button type="button" className="button-quiet flex-1" onClick={() => setOpen(false)}>
            Keep items
          </button>
          <button
            type="button"
            className="button-primary flex-1"
            onClick={() => {
              setOpen(false)
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
