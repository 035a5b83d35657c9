import type { Settings } from '#lib/contract/settings.ts'

export interface ShopContact extends Pick<Settings['shop'], 'phone' | 'email' | 'hours'> {
  pickupPlace: readonly string[]
}

interface ContactLineProps {
  question?: string
  shop: Omit<ShopContact, 'pickupPlace'>
}

/** Leaves out what the owner has not given. */
export function ContactLine({
  question = 'Questions?',
  shop: { phone, email, hours }
}: ContactLineProps) {
  const link = 'link inline-flex min-h-target items-center [overflow-wrap:anywhere]'
  return (
    <p className="flex flex-wrap items-center gap-x-4 text-sm">
      {question}
      {phone !== '' && (
        <a href={`tel:${phone.replace(/\s/g, '')}`} className={link}>
          {phone}
        </a>
      )}
      {phone !== '' && hours}
      {email !== '' && (
        <a href={`mailto:${email}`} className={link}>
          {email}
        </a>
      )}
    </p>
  )
}
