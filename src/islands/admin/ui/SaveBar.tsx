interface SaveBarProps {
  label: string
  busy: boolean
  /** If set, the save button is disabled and shows this text. */
  waitingLabel?: string | false
  onCancel: () => void
}

/** The bar stays at the bottom of the window, above the undo bar if that is shown. */
export function SaveBar({ label, busy, waitingLabel = false, onCancel }: SaveBarProps) {
  return (
    <div className="sticky bottom-0 -mx-4 flex flex-wrap gap-3 border-t border-brass/40 bg-cream px-4 py-3 [body:has([data-undo])_&]:bottom-20">
      <button
        type="submit"
        aria-disabled={busy || waitingLabel !== false}
        className="button-primary aria-disabled:opacity-60"
      >
        {busy ? 'Saving…' : waitingLabel || label}
      </button>
      <button type="button" className="button-quiet" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}
