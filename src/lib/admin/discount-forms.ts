import { COUPON_LIMITS, DEAL_PERCENT } from '../constants.ts'
import type { AdminCoupon, CouponFields, AdminDeal, DealChange } from '../contract/promotions.ts'
import { normalizeCouponCode } from '../contract/formats.ts'
import { t, text, texts } from '../contract/texts.ts'
import { formatTimeLeft, highestDraw } from '../catalog/deal-view.ts'
import { applyDiscount, formatRupees, fromRupees, toRupees } from '../money.ts'
import { formatDayAndTime } from '../time.ts'
import { field, type InputSpec, timeField, type Typed } from './fields.ts'
import { findProblems, parseNumber, parseTyped, toTyped } from './field-values.ts'
import { createForm } from './record-form.ts'
import { ADMIN_MESSAGES } from './messages.ts'

const formatPercent = (percent: number) => `${percent}%`
const formatTimes = { startTime: formatDayAndTime, endTime: formatDayAndTime }

const DISCOUNT = field('text', 'discount', '', {
  min: 1,
  problem: 'couponDiscountInvalid'
})
const DISCOUNTS: Readonly<Record<string, InputSpec>> = {
  percent: {
    ...DISCOUNT,
    kind: 'whole',
    label: text('Discount (%)'),
    max: 100,
    hint: text('Of the regular price of each item.')
  },
  amount: {
    ...DISCOUNT,
    kind: 'amount',
    label: text('Discount (₹)'),
    max: COUPON_LIMITS.maxRupees,
    hint: text('Shared among the items of the order.')
  }
}

const COUPON_SPECS: readonly InputSpec[] = [
  field('code', 'code', 'Code', {
    hint: 'What customers type, for example DIWALI10.',
    max: COUPON_LIMITS.code
  }),
  field('choice', 'kind', 'Kind of discount', {
    choices: [
      ['percent', text('Percent')],
      ['amount', text('Amount in rupees')]
    ]
  }),
  DISCOUNT,
  field('amount', 'minimum', 'Minimum order', {
    hint: 'What the items must cost before the coupon.',
    isOptional: true,
    prefix: '₹',
    max: COUPON_LIMITS.maxRupees,
    problem: 'couponMinimumInvalid'
  }),
  timeField('startTime', 'Start', 'couponStartRequired'),
  {
    ...timeField('endTime', 'End', 'couponEndTooEarly'),
    isOptional: true,
    hint: text('Indian time (IST). Without an end, it runs until you end it.')
  },
  field('boolean', 'oncePerPerson', 'Once per person', {
    choices: [
      ['true', text('Once')],
      ['false', text('As often as they like')]
    ],
    formLabel: 'How often can a person use it?'
  }),
  field('whole', 'maxUses', 'Number of uses', {
    hint: 'By all customers together.',
    isOptional: true,
    min: 1,
    max: COUPON_LIMITS.uses,
    problem: 'couponUsesInvalid'
  }),
  field('boolean', 'mayBeFree', 'May make products free', {
    choices: [
      ['false', text('No, at least ₹1 a pack')],
      ['true', text('Yes')]
    ],
    formLabel: 'Can the price become ₹0?'
  }),
  field('categories', 'categories', 'Categories', {
    formLabel: 'Only for these categories (none chosen: for all)',
    isWide: true
  })
]

export function listCouponSpecs({ kind }: Typed): InputSpec[] {
  return COUPON_SPECS.map(spec => (spec === DISCOUNT ? (DISCOUNTS[String(kind)] ?? spec) : spec))
}

export function createEmptyCoupon(now: number): Typed {
  return toTyped(COUPON_SPECS, {
    kind: 'percent',
    startTime: new Date(now).toISOString(),
    oncePerPerson: true,
    mayBeFree: false,
    categories: []
  })
}

export function toCouponFields(coupon: AdminCoupon): CouponFields {
  const { id: _, version: _v, state: _s, uses: _u, createdAt: _c, ...fields } = coupon
  return fields
}

export const COUPON_FORM = createForm<AdminCoupon, CouponFields>(COUPON_SPECS, {
  labels: { percent: text('Discount in percent'), amount: text('Discount in rupees') },
  formats: {
    ...formatTimes,
    percent: formatPercent,
    amount: formatRupees,
    minimum: formatRupees
  },
  toFields: toCouponFields,
  toTyped: ({ percent, amount, minimum, ...coupon }) =>
    toTyped(COUPON_SPECS, {
      ...coupon,
      kind: percent === null ? 'amount' : 'percent',
      discount: percent ?? amount,
      minimum: minimum === 0 ? null : minimum
    }),
  parse: (typed, before) => {
    const { kind, discount, ...parsed } = parseTyped(listCouponSpecs(typed), typed, before)
    return {
      ...(parsed as unknown as CouponFields),
      code: normalizeCouponCode(String(parsed['code'])),
      percent: kind === 'percent' ? Number(discount) : null,
      amount: kind === 'percent' ? null : Number(discount),
      minimum: Number(parsed['minimum'])
    }
  },
  check: (fields, typed) => {
    const { code, percent, amount, startTime, endTime } = fields
    const isCode = new RegExp(`^[A-Z0-9-]{${COUPON_LIMITS.minCode},${COUPON_LIMITS.code}}$`)
    return {
      ...(!isCode.test(code) && { code: ADMIN_MESSAGES.couponCodeInvalid }),
      ...findProblems(listCouponSpecs(typed), { ...fields, discount: percent ?? amount }),
      ...(endTime !== null && endTime <= startTime && { endTime: ADMIN_MESSAGES.couponEndTooEarly })
    }
  }
})

export function formatCouponDiscount({
  percent,
  amount
}: Pick<CouponFields, 'percent' | 'amount'>): string {
  return percent === null ? formatRupees(amount ?? 0) : formatPercent(percent)
}

export const COUPON_STATES: Readonly<Record<AdminCoupon['state'], string>> = texts({
  scheduled: 'Scheduled',
  running: 'Running',
  used_up: 'Used up',
  ended: 'Ended'
})

export function formatUses({ uses, maxUses }: Pick<AdminCoupon, 'uses' | 'maxUses'>): string {
  return maxUses === null ? String(uses) : t('{uses} of {maxUses}', { uses, maxUses })
}

export const DEAL_MESSAGES = texts({
  dealDeleted: 'Discounted product deleted successfully'
})

const PERCENT: InputSpec = field('percent', 'discountPercentage', 'Discount', {
  hint: 'The highest discount a customer can get.',
  formLabel: 'Discount (%)',
  max: DEAL_PERCENT.max,
  problem: 'dealPercentInvalid'
})
const DEAL_SPECS: readonly InputSpec[] = [
  field('product', 'productId', 'Product', {
    empty: 'Choose a product',
    problem: 'dealProductRequired'
  }),
  PERCENT,
  timeField('startTime', 'Start', 'dealStartRequired'),
  timeField('endTime', 'End', 'dealEndRequired')
]

export type DealFields = Omit<DealChange, 'version'> & { productId: string }
type DealTerms = Omit<DealFields, 'productId'>
export const EMPTY_DEAL: Typed = toTyped(DEAL_SPECS, {})

export function toDealFields(deal: AdminDeal): DealFields {
  const { product, discountPercentage, startTime, endTime } = deal
  return { productId: product._id, discountPercentage, startTime, endTime }
}

export const DEAL_FORM = createForm<AdminDeal, DealFields>(DEAL_SPECS, {
  formats: { ...formatTimes, discountPercentage: formatPercent },
  toFields: toDealFields,
  check: fields => ({
    ...(fields.endTime <= fields.startTime && { endTime: ADMIN_MESSAGES.dealEndTooEarly }),
    ...findProblems(DEAL_SPECS, fields)
  })
})

export function toRepeatTyped(deal: AdminDeal): Typed {
  return { ...DEAL_FORM.toTyped(deal), startTime: '', endTime: '' }
}

export function parsePercent(typed: unknown): number | undefined {
  return parseNumber(PERCENT, String(typed))
}

export function lowestPrice(price: number, percent: number): number {
  return toRupees(applyDiscount(fromRupees(price), highestDraw(percent)))
}

export function formatRunTime({ startTime, endTime }: Typed): string | undefined {
  const length = Date.parse(`${String(endTime)}Z`) - Date.parse(`${String(startTime)}Z`)
  return length > 0
    ? t('Runs for {time}', { time: formatTimeLeft(length).replace(/ 0+ \D+$/, '') })
    : undefined
}

export type DealState = 'running' | 'scheduled' | 'ended'

/** `now` is the server's time in ms since the epoch. */
export function toDealState({ startTime, endTime }: DealTerms, now: number): DealState {
  if (Date.parse(endTime) <= now) return 'ended'
  return Date.parse(startTime) <= now ? 'running' : 'scheduled'
}

export function formatDealState(deal: DealTerms & Pick<AdminDeal, 'hidden'>, now: number): string {
  const state = toDealState(deal, now)
  if (state === 'ended') return t('Ended')
  if (highestDraw(deal.discountPercentage) === 0) return t('Not shown, less than 1%')
  if (deal.hidden) return t('Hidden, like its product')
  return state === 'running'
    ? t('Running, {time} left', { time: formatTimeLeft(Date.parse(deal.endTime) - now) })
    : t('Scheduled, starts in {time}', { time: formatTimeLeft(Date.parse(deal.startTime) - now) })
}
