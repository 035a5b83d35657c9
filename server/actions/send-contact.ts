import { randomInt } from 'node:crypto'
import type { ContactMessage } from '#lib/contract/content.ts'
import type { ShopDetails } from '#lib/contract/shop.ts'
import { isoNow, type Clock } from '../clock.ts'
import type { Write } from '../db/write.ts'
import type { Mail } from '../gateways/mail.ts'
import { insertMessage } from '../queries/contact.ts'
import { promiseMail } from '../queries/outbox.ts'

// Without letters and digits that look alike when read out or written down.
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Keeps a message to the shop and promises the mail about it to the owner, both or neither; answers the reference by which
 * the two can speak of it. The same message again within ten minutes is kept and mailed once.
 */
export async function sendContact(
  { write, clock, shop }: { write: Write; clock: Clock; shop: ShopDetails },
  message: ContactMessage
): Promise<string> {
  const kept = await write(async trx => {
    const found = await insertMessage(trx, message, { now: clock(), makeReference })
    if (found.isNew) await promiseMail(trx, ownerMail(message, found, shop), isoNow(clock))
    return found
  })
  return kept.reference
}

/** Such as `PG-7F3K2M`. */
export function makeReference(): string {
  const letters = Array.from({ length: 6 }, () => ALPHABET[randomInt(ALPHABET.length)])
  return `PG-${letters.join('')}`
}

function ownerMail(
  { name, email, message }: ContactMessage,
  kept: { id: string; reference: string },
  shop: ShopDetails
): Mail {
  return {
    id: `contact-${kept.id}`,
    to: shop.email,
    replyTo: { name, address: email },
    subject: `Message ${kept.reference} from ${name}`,
    text: [`${name} <${email}> wrote to ${shop.name}:`, message, `Reference: ${kept.reference}`].join('\n\n')
  }
}
