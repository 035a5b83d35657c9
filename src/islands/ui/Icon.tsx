import { iconUrl, type IconName } from '#lib/art/icons.ts'

/** The icon is hidden from screen readers, so its button needs a text or an aria-label. */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg className={`icon ${className}`} aria-hidden="true">
      <use href={iconUrl(name)} />
    </svg>
  )
}
