interface SaveBarProps {
  label: string
  busy: boolean
  /** Disables saving and shows the reason. */
  waiting?: string | false
  onCancel: () => void
}

/** Sticky; leaves room for the undo bar below it. */
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
