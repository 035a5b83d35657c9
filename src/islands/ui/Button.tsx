import type { ComponentProps, ReactNode, Ref } from 'react'
import { type IconName, iconUrl } from '#lib/art/icons.ts'
import { toWhatsAppLink } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import { localPath } from '#lib/paths.ts'

const LOOKS = { quiet: 'button-quiet', primary: 'button-primary', link: 'link target' } as const

interface LookProps {
  label: ReactNode
  look?: keyof typeof LOOKS | undefined
}

interface ButtonProps extends LookProps, Omit<ComponentProps<'button'>, 'children'> {
  busy?: boolean
}

/** A disabled button would lose the focus. */
export function Button({
  label,
  look = 'quiet',
  busy = false,
  className = '',
  ...button
}: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={busy || undefined}
      className={`${LOOKS[look]} ${busy ? 'opacity-60' : ''} ${className}`}
      {...button}
    >
      {label}
    </button>
  )
}

type ButtonLinkProps = LookProps & Omit<ComponentProps<'a'>, 'children'>

/** A path leads to the page in the language of this one. */
export function ButtonLink({
  label,
  look = 'quiet',
  className = '',
  href,
  ...link
}: ButtonLinkProps) {
  return (
    <a
      href={href?.startsWith('/') ? localPath(href) : href}
      className={`${LOOKS[look]} ${className}`}
      {...link}
    >
      {label}
    </a>
  )
}

interface WhatsAppLinkProps extends Partial<ButtonLinkProps> {
  phone: string
  message?: string | undefined
}

export function WhatsAppLink({ phone, message, ...link }: WhatsAppLinkProps) {
  const href = toWhatsAppLink(phone, message)
  if (href === '') return null
  return (
    <ButtonLink look="link" label="WhatsApp" href={href} target="_blank" rel="noopener" {...link} />
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: IconName
  label: string
}

export function IconButton({ icon, label, className = '', ...button }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={`target rounded-full ${className}`}
      {...button}
    >
      <Icon name={icon} />
    </button>
  )
}

interface StepperProps {
  label: string
  value: number
  min: number
  max?: number
  onChange: (value: number) => void
  ref?: Ref<HTMLDivElement>
}

/** A disabled button would lose the focus. */
export function Stepper({ label, value, min, max = Infinity, onChange, ref }: StepperProps) {
  const button = 'aria-disabled:text-ink/30 hover:bg-cream-deep'
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-label={label}
      className="inline-flex items-center rounded-full border border-ink/50"
    >
      <IconButton
        icon="minus"
        label={t('Decrease quantity')}
        className={button}
        aria-disabled={value <= min || undefined}
        onClick={() => value > min && onChange(value - 1)}
      />
      <output aria-live="off" className="min-w-8 text-center font-semibold">
        {value}
      </output>
      <IconButton
        icon="plus"
        label={t('Increase quantity')}
        className={button}
        aria-disabled={value >= max || undefined}
        onClick={() => value < max && onChange(value + 1)}
      />
    </div>
  )
}

export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg className={`icon ${className}`} aria-hidden="true">
      <use href={iconUrl(name)} />
    </svg>
  )
}
