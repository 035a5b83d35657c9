import { isBlank, toProblems, type Problems } from '../account/forms.ts'
import type { AdminOrder, OrderRefundRequest } from '../contract/desk.ts'
import type { RefundCause } from '../contract/names.ts'
import { t, texts } from '../contract/texts.ts'
import { formatPaise, fromRupees, type Paise, sumPaise, toPaise } from '../money.ts'
import { creditPacks } from '../tax/taxes.ts'
import { ADMIN_MESSAGES } from './messages.ts'

export const REFUND_REASONS: Record<RefundCause, { label: string; text?: string }> = texts({
  broken: { label: 'Broken or spoiled', text: 'Something was broken or spoiled. We are sorry.' },
  missing: { label: 'Missing or sold out', text: 'Something was missing. We are sorry.' },
  wrong: { label: 'Wrong item', text: 'You got a wrong item. We are sorry.' },
  late: { label: 'Came late', text: 'Your order came late. We are sorry.' },
  asked: { label: 'Customer asked for it', text: 'You asked us for it.' },
  kindness: { label: 'Kindness', text: 'With our thanks.' },
  other: { label: 'Other' }
})

export function formatReason({ cause, note }: { cause: RefundCause; note: string }): string {
  return [REFUND_REASONS[cause].text, note].filter(Boolean).join(' ')
}

/** The smallest refund that the provider makes. */
const MIN_REFUND = toPaise(100)

interface RefundPreview {
  /** Of the credit note. */
  credit: Paise
  /** More than `credit` if an earlier refund has failed, less if money went back at Razorpay. */
  refund: Paise
  /** Stays with the shop. */
  left: Paise
  /** Of the packs, by line. */
  values: ReadonlyMap<number, Paise>
}

type Item = AdminOrder['items'][number]
export type RefundChoice = Pick<OrderRefundRequest, 'lines' | 'amount'>

export function countRefundable({ quantity, refundedPacks = 0 }: Item): number {
  return quantity - refundedPacks
}

/** Before the order has left. The last packs stay on it, because an order has at least one. */
export function takesPacksOff(
  { status, items }: AdminOrder,
  lines: RefundChoice['lines']
): boolean {
  const isHere = status === 'pending' || status === 'packed'
  const packsOf = (line: number) => lines.find(each => each.line === line)?.packs ?? 0
  return isHere && items.some(({ line, quantity }) => packsOf(line) < quantity)
}

export function previewRefund(
  order: AdminOrder,
  { lines, amount = 0 }: RefundChoice
): RefundPreview | { problem: string; isWhole?: true } {
  const { items, status, reversals } = order
  if (lines.length === 0 && amount === 0) return { problem: t('Choose packs, or type an amount.') }
  if (reversals.some(({ state }) => state === 'pending'))
    return {
      problem: t('Razorpay is handling another refund or a dispute. Please wait for its end.')
    }
  const [total, refundable] = [fromRupees(order.totalAmount), fromRupees(order.refundable)]
  const values = new Map<number, Paise>()
  for (const { line, packs } of lines) {
    const item = items.find(each => each.line === line)
    if (!item || packs > countRefundable(item) || values.has(line))
      return { problem: t('These packs are no longer on the order.') }
    values.set(line, valueOf(item, packs))
  }
  const surplus = toPaise(Math.max(0, total - refundable))
  const credit =
    lines.length > 0
      ? toPaise(Math.min(total, sumPaise([...values.values()])))
      : toPaise(fromRupees(amount) + surplus)
  if (credit > total) {
    const most = formatPaise(toPaise(Math.min(total, refundable)))
    return { problem: t('At most {amount} can go back.', { amount: most }) }
  }
  const left = toPaise(total - credit)
  const refund = toPaise(Math.max(0, refundable - left))
  const isOff = takesPacksOff(order, lines)
  const isWhole = left === 0 || (lines.length > 0 && !isOff)
  if (status === 'pending' && isWhole)
    return { problem: t('This is the whole order. Please cancel it instead.'), isWhole }
  if (refund === 0 && !(isOff && lines.length > 0))
    return { problem: t('This money has already gone back.') }
  if (refund > 0 && refund < MIN_REFUND)
    return { problem: t('Razorpay refunds at least ₹1.00. Please choose more.') }
  const rest = refundable - refund
  if (refund > 0 && rest > 0 && rest < MIN_REFUND)
    return {
      problem: t(
        'Less than ₹1.00 would stay, and could not be refunded later. ' +
          'Please refund {amount} or less.',
        { amount: formatPaise(refundable) }
      )
    }
  return { credit, refund, left, values }
}

/** After discounts. The last packs have the rest of the coupon's discount. */
function valueOf(item: Item, packs: number) {
  const { quantity, price, couponDiscount = 0, refundedPacks = 0 } = item
  const line = { quantity, price: fromRupees(price), coupon_discount: fromRupees(couponDiscount) }
  const valueUpTo = (count: number) => creditPacks(line, count).total
  return toPaise(valueUpTo(refundedPacks + packs) - valueUpTo(refundedPacks))
}

export function describeRefund(preview: RefundPreview): string {
  const { credit, refund, left } = preview
  const amount = formatPaise(toPaise(Math.abs(refund - credit)))
  const sentences = [
    refund === 0
      ? t('Nothing more goes back.')
      : t('{amount} goes back in 5–8 days.', { amount: formatPaise(refund) }),
    t('{amount} stays with you.', { amount: formatPaise(left) }),
    refund > credit && t('This includes {amount} of a refund that failed.', { amount }),
    refund < credit && t('{amount} had gone back before.', { amount })
  ]
  return sentences.filter(Boolean).join(' ')
}

/** For example '₹1,200' or '120.5'. Returns undefined if it is no amount. */
export function parseRupees(typed: string): number | undefined {
  const text = typed.replace(/^\s*(?:₹|rs\.?)|[\s,]|\/-\s*$/gi, '')
  return /^\d{1,8}(\.\d{1,2})?$/.test(text) ? Number(text) : undefined
}

export const REFUND_FIELDS = ['amount', 'cause', 'note'] as const
type RefundForm = Record<(typeof REFUND_FIELDS)[number], string>

export function findRefundProblems(
  order: AdminOrder,
  choice: RefundChoice,
  { amount, cause, note }: RefundForm
): Problems<keyof RefundForm> {
  const preview = previewRefund(order, choice)
  return toProblems({
    amount:
      !isBlank(amount) && parseRupees(amount) === undefined
        ? t('Please type an amount in rupees, for example 120 or 99.50.')
        : 'problem' in preview && preview.problem,
    cause: cause === '' && ADMIN_MESSAGES.refundCauseRequired,
    note: cause === 'other' && isBlank(note) && ADMIN_MESSAGES.orderReasonRequired
  })
}
