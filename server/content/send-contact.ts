import { randomInt } from 'node:crypto'
import type { ContactMessage } from '#lib/contract/content.ts'
import type { ShopDetails } from '#lib/contract/shop.ts'
import { isoNow, type Clock } from '../platform/process/clock.ts'
import type { Write } from '../platform/db/write.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { insertMessage } from './message-queries.ts'
import { enqueueMail } from '../platform/mail/outbox.ts'

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** If the same message is sent again within ten minutes, it is not saved again. */
export async function sendContact(
  { write, clock, shop }: { write: Write; clock: Clock; shop: ShopDetails },
  message: ContactMessage
): Promise<string> {
  const saved = await write(async trx => {
    const inserted = await insertMessage(trx, message, { now: clock(), makeReference })
    if (inserted.isNew) await enqueueMail(trx, adminMail(message, inserted, shop), isoNow(clock))
    return inserted
  })
  return saved.reference
}

export function makeReference(): string {
  const letters = Array.from({ length: 6 }, () => ALPHABET[randomInt(ALPHABET.length)])
  return `PG-${letters.join('')}`
}

function adminMail(
  { name, email, message }: ContactMessage,
  { id, reference }: { id: string; reference: string },
  shop: ShopDetails
): Mail {
  return {
    id: `contact-${id}`,
    to: shop.email,
    replyTo: { name, address: email },
    subject: `Message ${reference} from ${name}`,
    text: [`${name} <${email}> wrote to ${shop.name}:`, message, `Reference: ${reference}`].join('\n\n')
  }
}
