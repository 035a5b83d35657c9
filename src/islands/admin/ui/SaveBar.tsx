interface SaveBarProps {
  /** What saving does. */
  label: string
  busy: boolean
  /** What must be there before it can be saved, while it is not. */
  waiting?: string | false
  onCancel: () => void
}

/** The end of a long form, in view all the time; what the last change offers to take back stands above it. */
export function SaveBar({ label, busy, waiting = false, onCancel }: SaveBarProps) {
  return (
    <div className="sticky bottom-0 -mx-4 flex flex-wrap gap-3 border-t border-brass/40 bg-cream px-4 py-3 [body:has([data-undo])_&]:bottom-20">
      <button
        type="submit"
        aria-disabled={busy || waiting !== false}
        className="button-primary aria-disabled:opacity-60"
      >
        {busy ? 'Saving…' : waiting || label}
      </button>
      <button type="button" className="button-quiet" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}
