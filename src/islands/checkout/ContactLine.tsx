import type { ShopContact } from './OrderPlaced.tsx'

/** Whom to ask. */
export function ContactLine({ shop: { phone, email } }: { shop: ShopContact }) {
  return (
    <p className="text-sm">
      Questions? Call{' '}
      <a href={`tel:${phone.replace(/\s/g, '')}`} className="link inline-flex min-h-target items-center">
        {phone}
      </a>{' '}
      or write to{' '}
      <a href={`mailto:${email}`} className="link inline-flex min-h-target items-center">
        {email}
      </a>
      .
    </p>
  )
}
