interface SaveBarProps {
  state: 'ready' | 'saving' | 'waiting'
  /** What is saved is for the owner alone. */
  isDraft: boolean
  /** Visitors read it now. */
  isPublished: boolean
  onCancel: () => void
}

/** Says what saving will do, and stays in view under a long text. */
export function SaveBar({ state, isDraft, isPublished, onCancel }: SaveBarProps) {
  const words = isDraft ? 'Save draft' : isPublished ? 'Save post' : 'Publish post'
  return (
    <div className="sticky bottom-0 -mx-4 flex flex-wrap gap-3 border-t border-brass/40 bg-cream px-4 py-3">
      <button type="submit" aria-disabled={state !== 'ready'} className="button-primary aria-disabled:opacity-60">
        {{ ready: words, saving: 'Saving…', waiting: 'Waiting for the picture…' }[state]}
      </button>
      <button type="button" className="button-quiet" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}
