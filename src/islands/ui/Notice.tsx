interface NoticeProps {
  title: string
  text: string
  action: string
  onAction: () => void
}

export function Notice({ title, text, action, onAction }: NoticeProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-card border border-brass bg-cream-deep p-4">
      <div>
        <p className="font-semibold">{title}</p>
        <p>{text}</p>
      </div>
      <button type="button" className="button-quiet" onClick={onAction}>
        {action}
      </button>
    </div>
  )
}
