import { api } from '../api.ts'
import { hasTypes } from '../browser.ts'
import type { DeliveryOffer, DeliveryReply } from '../contract/delivery.ts'
import { ShopError } from '../errors.ts'
import { formatRupees } from '../money.ts'
import { formatShortDay } from '../time.ts'

export interface PincodeLookup {
  pincode: string
  reply?: DeliveryReply
  error?: ShopError
}

export const UNKNOWN_PINCODE = 'We don’t know this pincode. Is it right?'

export async function askDelivery(pincode: string, items: string): Promise<DeliveryReply> {
  const reply = await api('GET /delivery', { query: { pincode, ...(items !== '' && { items }) } })
  if (!hasTypes(reply, { pincode: 'string', delivery: 'object', notes: 'object' }))
    throw new ShopError('INTERNAL')
  return reply
}

export function describePlace(reply: DeliveryReply, missing = toMinimumText(reply)): string {
  const { pincode, isKnown, delivery, stateProblem, notes, pickup } = reply
  const place = `${pincode} ${toPlaceName(reply)}`.trim()
  const rules = [...notes, missing].filter(Boolean)
  const [problem] = delivery?.problems ?? []
  if (!delivery || problem) {
    const reason = problem?.text ?? stateProblem
    const refusal = reason ? `${place}: ${reason}` : `We don’t deliver to ${place}.`
    if (!pickup?.firstDay) return refusal
    return [
      refusal,
      `You can pick up your order from ${formatShortDay(pickup.firstDay)}.`,
      ...rules
    ].join(' ')
  }
  const { firstDay } = delivery
  const facts = [
    firstDay
      ? `Delivers to ${place} from ${formatShortDay(firstDay)}`
      : `All days for ${place} are full at the moment`,
    ...[toFeeText(delivery)].filter(Boolean),
    ...(pickup ? ['pickup possible'] : [])
  ]
  const details = [...delivery.warnings.map(({ text }) => text), ...rules]
  return [
    ...(isKnown ? [] : [UNKNOWN_PINCODE]),
    `${facts.join(' · ')}${details.length > 0 ? '.' : ''}`,
    ...details
  ].join(' ')
}

function toMinimumText({ minimumOrder }: DeliveryReply): string {
  return minimumOrder > 0 ? `Minimum order ${formatShort(minimumOrder)}.` : ''
}

function toPlaceName({ areas, district, states }: DeliveryReply): string {
  const [area = ''] = areas
  return areas.length === 1 ? area : district || states.join(' or ')
}

function toFeeText({ zone, usualFee, freeAbove }: DeliveryOffer): string {
  if (usualFee === 0) return zone === '' ? '' : 'free delivery'
  const fee = `${formatShort(usualFee)} delivery`
  return freeAbove === null ? fee : `${fee}, free from ${formatShort(freeAbove)}`
}

function formatShort(rupees: number): string {
  return formatRupees(rupees).replace(/\.00$/, '')
}
