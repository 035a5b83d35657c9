import { iconUrl, type IconName } from '#lib/art/icons.ts'

export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg className={`icon ${className}`} aria-hidden="true">
      <use href={iconUrl(name)} />
    </svg>
  )
}
