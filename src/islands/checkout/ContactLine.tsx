import type { ShopContact } from './OrderPlaced.tsx'

export function ContactLine({ shop: { phone, email } }: { shop: ShopContact }) {
  const link = 'link inline-flex min-h-target items-center'
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-4 text-sm">
      Questions?
      <a href={`tel:${phone.replace(/\s/g, '')}`} className={link}>
        {phone}
      </a>
      <a href={`mailto:${email}`} className={link}>
        {email}
      </a>
    </p>
  )
}
