import { DEFAULT_LANGUAGE, type Language } from '#lib/constants.ts'
import { toOneLine } from '#lib/contract/formats.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { language } from '#lib/contract/texts.ts'
import { localize } from '#lib/localize.ts'
import { toShopAddressLines } from '#lib/settings.ts'
import { findFirstOwner } from '../accounts/users.ts'
import type { Config } from '../config.ts'
import type { Db } from '../platform/db/tables.ts'
import { inLanguage } from '../platform/language.ts'
import { composeMail, type Letter, type Mail } from '../platform/mail/mail.ts'
import { readSection, readSections } from './settings.ts'

/** Name, signature and place are in the language of the mail that reads them. */
export interface ShopContact {
  readonly name: string
  /** While the shop has no address, that of the first owner. */
  email: string
  phone: string
  readonly signature: string
  readonly pickupPlace: string
  /** Of mails to the shop: that of the first owner. */
  ownersLanguage: Language
}

export const CONTACT_SECTIONS = ['shop', 'mail', 'delivery'] as const

export async function readContact(db: Db): Promise<ShopContact> {
  return toContact(db, await readSections(db, CONTACT_SECTIONS))
}

export async function toContact(
  db: Db,
  { shop, mail, delivery }: Pick<Settings, (typeof CONTACT_SECTIONS)[number]>
): Promise<ShopContact> {
  const owner = await findFirstOwner(db)
  const { pickupText, translations } = delivery
  const own = () => localize({ shop, mail, delivery: { pickupText, translations } }, language())
  const name = () => toOneLine(own().shop.name)
  return {
    email: shop.email || (owner?.email ?? ''),
    phone: shop.phone,
    ownersLanguage: owner?.language ?? DEFAULT_LANGUAGE,
    get name() {
      return name()
    },
    get signature() {
      return own().mail.signature || name()
    },
    get pickupPlace() {
      const lines = [name(), ...toShopAddressLines(shop.address), own().delivery.pickupText]
      return lines.filter(Boolean).join('\n')
    }
  }
}

export function mailFromShop(shop: ShopContact, letter: Letter): Mail {
  return composeMail(shop, { replyTo: { name: shop.name, address: shop.email }, ...letter })
}

/** In the owner's language. */
export function mailToShop(shop: ShopContact, compose: () => Omit<Letter, 'to'>): Mail {
  return inLanguage(shop.ownersLanguage, () =>
    composeMail({ name: shop.name }, { ...compose(), to: shop.email })
  )
}

/** In the language of the request or mail. */
export async function readShopName(db: Db): Promise<string> {
  return localize(await readSection(db, 'shop'), language()).name
}

export async function readSender(
  db: Db,
  { mailFrom, siteUrl }: Pick<Config, 'mailFrom' | 'siteUrl'>,
  typed?: Settings['mail']
): Promise<string> {
  const { shop, mail: saved } = await readSections(db, ['shop', 'mail'])
  const mail = typed ?? saved
  if (mail.sender === '' && mailFrom !== undefined) return mailFrom
  // Gmail and others accept no other sender than the account. Brevo's logins are no mailboxes.
  const own = mail.server !== '' && /^[^\s@<>]+@(?!smtp)[^\s@<>]+$/.test(mail.user) ? mail.user : ''
  const address = mail.sender || own || shop.email || `no-reply@${new URL(siteUrl).hostname}`
  return `"${toOneLine(shop.name).replace(/["\\]/g, '')}" <${address}>`
}
