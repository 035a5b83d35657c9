import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Language } from '#lib/constants.ts'
import { MailQuery, MailSamples } from '#lib/contract/admin.ts'
import { t } from '#lib/contract/texts.ts'
import { toPaise } from '#lib/money.ts'
import { invitationPath, paths } from '#lib/paths.ts'
import { DAY, toDayInIndia, toFinancialYear, toIso } from '#lib/time.ts'
import { noticeMail } from '../accounts/account.ts'
import { codeMail } from '../accounts/codes.ts'
import { invitationMail } from '../accounts/invitations.ts'
import { alertMail } from '../catalog/stock-alerts.ts'
import { messageMail, receiptMail } from '../content/contact.ts'
import { answerMail } from '../content/messages.ts'
import { changedMail } from '../orders/desk/change.ts'
import { refundMail } from '../orders/desk/refund.ts'
import { statusMail } from '../orders/desk/status.ts'
import { cancelledByShopMail, cancelledMails, placedMails } from '../orders/mails.ts'
import * as payments from '../orders/payment/mails.ts'
import type { OrderLineRow, OrderRow, RefundRow } from '../platform/db/order-tables.ts'
import { route } from '../platform/http/validate.ts'
import { inLanguage } from '../platform/language.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { readContact, readSender } from '../settings/contact.ts'
import { readSection } from '../settings/settings.ts'
import { testMail } from '../settings/test-mail.ts'

export const mailSampleRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/mails',
    route('Preview each email, about an invented order', MailSamples, { querystring: MailQuery }),
    async ({ query: { language } }) => ({
      from: await readSender(app.database.kysely, app.config),
      mails: await composeSamples(app, language)
    })
  )
}

const CUSTOMER = { name: 'Anita Kumar', email: 'anita@example.com', phone: '9876543210' }
const ADDRESS = {
  ...{ street: '14 Nandi Koil Street', city: 'Tiruchirappalli', pincode: '620002' },
  ...{ state: 'Tamil Nadu', country: 'India' }
}
const PAYMENT = { id: 'pay_P3kW7xQ2mZ', amount: toPaise(119_000) }
const REFUND = {
  id: 'rfnd_P4aB2cD8kT',
  amount: PAYMENT.amount,
  payment_id: PAYMENT.id
} as RefundRow

/** Composed by what composes the shop's mails. Rows have only the columns that these read. */
async function composeSamples(
  { database: { kysely: db }, config, codeSecret, clock }: FastifyInstance,
  language: Language
): Promise<Mail[]> {
  const shop = await readContact(db)
  shop.ownersLanguage = language
  const { status } = await readSection(db, 'tax')
  const [now, id] = [clock(), 'sample']
  const [at, day, year] = [toIso(now), toDayInIndia(now + 2 * DAY), toFinancialYear(now)]
  const [{ siteUrl }, { email: to }] = [config, CUSTOMER]
  return inLanguage(language, () => {
    const deps = { shop, config, orderLink: `${siteUrl}${paths.orderLink}#${id}` }
    const line = {
      ...{ name: t('Mysore Pak'), local_name: '', quantity: 2, pack_value: 500, pack_unit: 'g' },
      ...{ price: toPaise(30_000), percent: null, coupon_discount: toPaise(3_000) },
      ...{ total: toPaise(57_000), cgst: toPaise(1_357), sgst: toPaise(1_357), igst: null }
    } as OrderLineRow
    const pickle = { ...line, name: t('Lemon pickle'), percent: 15 }
    const order = {
      ...{
        id,
        order_no: 'P261127-K7M3QX',
        language,
        created_at: at,
        changes: 0,
        note: '',
        gift: ''
      },
      ...{ customer: JSON.stringify(CUSTOMER), address: JSON.stringify(ADDRESS) },
      ...{ payment_state: 'paid', total: PAYMENT.amount, coupon_code: 'DIWALI10' },
      ...{ delivery_method: 'own', delivery_date: day, delivery_zone: ADDRESS.city },
      ...{ delivery_fee: toPaise(5_000), delivery_tax: null, tax_status: status },
      ...{ invoice_year: year, invoice_no: 27, credit_year: year, credit_no: 3 },
      ...{ courier: 'ST Courier', tracking_number: 'ST 4711', event_at: `${day}T18:30` },
      ...{ tracking_link: 'https://courier.example/ST4711', moved_from: null }
    } as OrderRow
    const details = { key: '', cause: 'broken', note: '', restock: false } as const
    const message = {
      ...{ ...CUSTOMER, id, reference: 'PG-7F3K2M', message: t('Do you send to Madurai?') },
      ...{ language, createdAt: at, readAt: null, answeredAt: null }
    }
    const invitation = {
      id,
      email: to,
      staff: 'kitchen',
      expires_at: toIso(now + 7 * DAY)
    } as const
    return [
      ...placedMails(deps, order, [line, pickle], undefined),
      statusMail(deps, order, 'packed'),
      statusMail(deps, { ...order, delivery_method: 'courier' }, 'shipped'),
      statusMail(deps, { ...order, delivery_method: 'pickup' }, 'ready'),
      statusMail(deps, order, 'delivered'),
      changedMail(deps, order, { deliveryDate: day, address: true }),
      refundMail(
        deps,
        { ...order, total: toPaise(62_000) },
        { packs: [pickle], splits: [], refund: pickle.total, details },
        order
      ),
      ...cancelledMails(deps, order, order.total),
      cancelledByShopMail(deps, order, {
        reason: t('Our stove is being repaired.'),
        refund: order.total
      }),
      ...payments.refusedMails(deps, { payment: PAYMENT, order, reason: 'second_payment' }),
      ...payments.refusedMails(deps, {
        ...{ payment: PAYMENT, payer: { ...CUSTOMER, language }, reason: 'unclaimed' }
      }),
      ...payments.refundedMails(deps, order, REFUND),
      payments.refundStuckMail(deps, REFUND, { isStopped: false, at }),
      payments.refundStuckMail(deps, REFUND, { isStopped: true, at }),
      payments.reversalMail(deps, { ...REFUND, id: 'disp_P5eF6g', kind: 'dispute' }, order, false),
      payments.reversalMail(deps, { ...REFUND, kind: 'refund' }, undefined, true),
      payments.unmatchedMail(deps, PAYMENT, order.order_no),
      payments.wrongKeyMail(shop, day),
      codeMail({ id, to, code: '482915', shopName: shop.name, siteUrl }),
      noticeMail({ config }, { _id: id, email: to }, at, shop.name),
      invitationMail(shop.name, CUSTOMER, invitation, siteUrl + invitationPath(id)),
      alertMail({ config, codeSecret }, shop, {
        alert: { id, user_id: id, product_id: id },
        product: { ...line, name_tamil: '', translations: '{}' },
        email: to
      }),
      receiptMail(message, message, shop, true),
      receiptMail(message, message, shop, false),
      answerMail(shop, message, { text: t('Yes, every Friday.'), key: '' }),
      messageMail(message, message, shop, siteUrl),
      testMail(shop, shop.email)
    ]
  })
}
