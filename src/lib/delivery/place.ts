import { api } from '../api.ts'
import { hasTypes } from '../browser.ts'
import { locale, t, text } from '../contract/texts.ts'
import type { DeliveryOffer, DeliveryReply } from '../contract/delivery.ts'
import { ShopError } from '../errors.ts'
import { formatRupees } from '../money.ts'
import { formatShortDay } from '../time.ts'

export interface PincodeLookup {
  pincode: string
  reply?: DeliveryReply
  error?: ShopError
}

export const UNKNOWN_PINCODE = text('We don’t know this pincode. Is it right?')

/** `goods` in rupees, for suggestions. */
export async function askDelivery(
  pincode: string,
  items: string,
  goods?: number
): Promise<DeliveryReply> {
  const cart = { ...(items !== '' && { items }), ...(goods !== undefined && { goods: `${goods}` }) }
  const reply = await api('GET /delivery', { query: { pincode, ...cart } })
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
    const refusal = reason ? `${place}: ${reason}` : t('We don’t deliver to {place}.', { place })
    if (!pickup?.firstDay) return refusal
    const day = formatShortDay(pickup.firstDay)
    return [refusal, t('You can pick up your order from {day}.', { day }), ...rules].join(' ')
  }
  const { firstDay } = delivery
  const facts = [
    firstDay
      ? t('Delivers to {place} from {day}', { place, day: formatShortDay(firstDay) })
      : t('All days for {place} are full at the moment', { place }),
    ...[toFeeText(delivery)].filter(Boolean),
    ...(pickup ? [t('pickup possible')] : [])
  ]
  const details = [...delivery.warnings.map(({ text }) => text), ...rules]
  return [
    ...(isKnown ? [] : [t(UNKNOWN_PINCODE)]),
    `${facts.join(' · ')}${details.length > 0 ? '.' : ''}`,
    ...details
  ].join(' ')
}

function toMinimumText({ minimumOrder }: DeliveryReply) {
  return minimumOrder > 0 ? t('Minimum order {amount}.', { amount: formatShort(minimumOrder) }) : ''
}

function toPlaceName({ areas, district, states }: DeliveryReply) {
  const [area = ''] = areas
  if (areas.length === 1) return area
  return district || new Intl.ListFormat(locale(), { type: 'disjunction' }).format(states)
}

function toFeeText({ zone, usualFee, freeAbove }: DeliveryOffer) {
  if (usualFee === 0) return zone === '' ? '' : t('free delivery')
  const fee = formatShort(usualFee)
  return freeAbove === null
    ? t('{fee} delivery', { fee })
    : t('{fee} delivery, free from {limit}', { fee, limit: formatShort(freeAbove) })
}

export function formatShort(rupees: number): string {
  return formatRupees(rupees).replace(/\.00$/, '')
}
