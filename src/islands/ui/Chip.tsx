import { Icon } from './Icon.tsx'

export function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Remove filter: ${label}`}
      onClick={onRemove}
      className="inline-flex min-h-target max-w-full items-center gap-2 rounded-full bg-turmeric/30 py-1 pl-4 pr-3 text-sm font-semibold hover:bg-turmeric/60"
    >
      <span className="truncate">{label}</span>
      <Icon name="close" className="h-4 w-4" />
    </button>
  )
}
