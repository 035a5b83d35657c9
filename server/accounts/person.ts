import { createHmac } from 'node:crypto'

/**
 * Returns a keyed hash of the person behind an e-mail address. It differs per `offer`, so that nobody can follow a person
 * from offer to offer.
 */
export function hashPerson(secret: Buffer, offer: string, email: string): string {
  return createHmac('sha256', secret)
    .update(`${offer}|${toMailbox(email)}`)
    .digest('hex')
}

/** `a.b+deals@gmail.com` and `ab@gmail.com` are one mailbox. Most providers ignore a tag, and only Gmail ignores dots. */
function toMailbox(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com')
  const name = email.slice(0, at).replace(/(?<=.)\+.*$/, '')
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}
