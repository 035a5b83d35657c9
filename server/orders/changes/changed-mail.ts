import { formatPaise, toPaise } from '#lib/money.ts'
import { formatSerialNumber } from '#lib/tax/documents.ts'
import type { OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import type { Block } from '../../platform/mail/mail-body.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { formatDay, placeText } from '../fulfilment/delivery-texts.ts'
import { shopperMail, type MailDeps } from '../mails.ts'
import { customerOf } from '../order-queries.ts'
import type { ChangedDetails, StoredChange } from './change-queries.ts'

/** A mail to the shopper: the removed packs, the refund, and the new day, phone or address. */
export function changedMail(
  deps: MailDeps,
  order: OrderRow,
  change: StoredChange,
  lines: readonly OrderLineRow[]
): Mail {
  const { deliveryDate, phone, address } = JSON.parse(change.details) as ChangedDetails
  const blocks: Block[] = [`We have changed your order ${order.order_no}.`]
  if (change.lines.length > 0) blocks.push(removedRows(order, change, lines), refundText(change))
  const isPickup = order.delivery_method === 'pickup'
  if (deliveryDate !== undefined)
    blocks.push(`New ${isPickup ? 'pickup' : 'delivery'} date: ${formatDay(deliveryDate)}.`)
  if (isPickup && phone) blocks.push(`New phone number: ${customerOf(order).phone}.`)
  // The address contains the phone number.
  else if (phone || address) blocks.push(placeText(order, deps.shop.pickupPlace))
  blocks.push('Is something wrong? Please tell us today.')
  return shopperMail(deps, order, {
    mailType: `changed-${change.seq}`,
    subject: `We changed your order ${order.order_no}`,
    blocks
  })
}

function removedRows({ total, credited }: OrderRow, change: StoredChange, lines: readonly OrderLineRow[]): Block {
  const rows = change.lines.map(removed => {
    const line = lines.find(({ n }) => n === removed.n)
    const text = `Removed: ${removed.quantity} × ${line?.name}, ${line?.pack_value} ${line?.pack_unit}`
    return [text, `−${formatPaise(removed.total)}`] as const
  })
  return [...rows, ['New total', formatPaise(toPaise(total - credited))]]
}

function refundText({ refunded, credit_year, credit_no }: StoredChange): string {
  const note = `Credit note ${formatSerialNumber('CN', credit_year, credit_no)}.`
  if (refunded === 0)
    return `Nothing more is refunded, because you already have this money back or paid nothing. ${note}`
  return `We refund ${formatPaise(refunded)} to the account, card or UPI ID that you paid from. It takes 5 to 8 days to reach you. ${note}`
}
