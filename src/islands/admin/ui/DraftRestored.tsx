import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'

export function DraftRestored({ onStartOver }: { onStartOver: () => void }) {
  return (
    <div role="status" className="mb-4 flex flex-wrap items-center gap-x-4 rounded-card bg-cream-deep px-4 py-2">
      {ADMIN_MESSAGES.draftRestored}
      <button type="button" className="link target" onClick={onStartOver}>
        Discard draft
      </button>
    </div>
  )
}
