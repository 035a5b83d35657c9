import { api } from '../api.ts'
import { hasTypes } from '../browser.ts'
import type { DeliveryOffer, DeliveryReply } from '../contract/delivery.ts'
import { ShopError } from '../errors.ts'
import { formatRupees } from '../money.ts'
import { formatShortDay } from '../time.ts'

/** The server's answer about a pincode. Neither `reply` nor `error` is set until it has arrived. */
export interface PincodeLookup {
  pincode: string
  /** Kept while the cart changes, and if a later call fails. */
  reply?: DeliveryReply
  error?: ShopError
}

/** `items` is a list such as 'mysore-pak:2,murukku:1', or empty. Throws ShopError. */
export async function askDelivery(pincode: string, items: string): Promise<DeliveryReply> {
  const reply = await api('GET /delivery', { query: { pincode, ...(items !== '' && { items }) } })
  if (!hasTypes(reply, { pincode: 'string', delivery: 'object' })) throw new ShopError('INTERNAL')
  return reply
}

/** Returns a text about whether, when and for how much the shop delivers to a pincode. */
export function describePlace(reply: DeliveryReply): string {
  const { pincode, isKnown, delivery, pickup } = reply
  const place = `${pincode} ${toPlaceName(reply)}`.trim()
  const pickupText = pickup?.firstDay ? ` You can pick up your order from ${formatShortDay(pickup.firstDay)}.` : ''
  if (!delivery) return `We don’t deliver to ${place}.${pickupText}`
  const [problem] = delivery.problems
  if (problem) return `${place}: ${problem.text}${pickupText}`
  const { firstDay } = delivery
  const facts = [
    firstDay ? `Delivers to ${place} from ${formatShortDay(firstDay)}` : `All days for ${place} are full at the moment`,
    ...[toFeeText(delivery)].filter(Boolean),
    ...(pickup ? ['pickup possible'] : [])
  ]
  return [
    ...(isKnown ? [] : ['We don’t know this pincode. Please check it.']),
    `${facts.join(' · ')}${delivery.warnings.length > 0 ? '.' : ''}`,
    ...delivery.warnings.map(({ text }) => text)
  ].join(' ')
}

/** Returns the post office, or the district if the pincode has several. */
function toPlaceName({ areas, district, states }: DeliveryReply): string {
  const [area = ''] = areas
  return areas.length === 1 ? area : district || states.join(' or ')
}

/** Returns an empty text for free delivery without a zone. */
function toFeeText({ zone, usualFee, freeAbove }: DeliveryOffer): string {
  if (usualFee === 0) return zone === '' ? '' : 'free delivery'
  const fee = `${formatShort(usualFee)} delivery`
  return freeAbove === null ? fee : `${fee}, free from ${formatShort(freeAbove)}`
}

/** Formats 500 as '₹500'. */
function formatShort(rupees: number): string {
  return formatRupees(rupees).replace(/\.00$/, '')
}
