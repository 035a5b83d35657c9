import { COUPON_LIMITS } from '../constants.ts'
import type { AdminCoupon, CouponFields } from '../contract/coupons.ts'
import { normalizeCouponCode } from '../contract/formats.ts'
import { formatRupees } from '../money.ts'
import { formatDayAndTime } from '../time.ts'
import { field, type InputSpec, type RecordForm, timeField, type Typed } from './fields.ts'
import { findProblems, labelsOf, parseTyped, toTyped, fieldFormatter } from './field-values.ts'
import { ADMIN_MESSAGES } from './messages.ts'

const DISCOUNT = field('text', 'discount', '', {
  min: 1,
  problem: ADMIN_MESSAGES.couponDiscountInvalid
})
const DISCOUNTS: Readonly<Record<string, InputSpec>> = {
  percent: {
    ...DISCOUNT,
    kind: 'whole',
    label: 'Discount (%)',
    max: 100,
    hint: 'Of the regular price of each item.'
  },
  amount: {
    ...DISCOUNT,
    kind: 'amount',
    label: 'Discount (₹)',
    max: COUPON_LIMITS.maxRupees,
    hint: 'Shared among the items of the order.'
  }
}

const SPECS: readonly InputSpec[] = [
  field('code', 'code', 'Code', {
    hint: 'What customers type, for example DIWALI10.',
    max: COUPON_LIMITS.code
  }),
  field('choice', 'kind', 'Kind of discount', {
    choices: [
      ['percent', 'Percent'],
      ['amount', 'Amount in rupees']
    ]
  }),
  DISCOUNT,
  field('amount', 'minimum', 'Minimum order', {
    hint: 'What the items must cost before the coupon.',
    isOptional: true,
    prefix: '₹',
    max: COUPON_LIMITS.maxRupees,

    problem: ADMIN_MESSAGES.couponMinimumInvalid
  }),
  timeField('startTime', 'Start', ADMIN_MESSAGES.couponStartRequired),
  {
    ...timeField('endTime', 'End', ADMIN_MESSAGES.couponEndTooEarly),
    isOptional: true,
    hint: 'Indian time (IST). Without an end, it runs until you end it.'
  },
  field('boolean', 'oncePerPerson', 'Once per person', {
    choices: [
      ['true', 'Once'],
      ['false', 'As often as they like']
    ],
    formLabel: 'How often can a person use it?'
  }),
  field('whole', 'maxUses', 'Number of uses', {
    hint: 'By all customers together.',
    isOptional: true,
    min: 1,
    max: COUPON_LIMITS.uses,

    problem: ADMIN_MESSAGES.couponUsesInvalid
  }),
  field('boolean', 'mayBeFree', 'May make products free', {
    choices: [
      ['false', 'No (₹1 a pack stays)'],
      ['true', 'Yes']
    ],
    formLabel: 'May it make items free?'
  }),
  field('categories', 'categories', 'Categories', {
    formLabel: 'Only for these categories (none chosen: for all)',
    isWide: true
  })
]

export function listCouponSpecs({ kind }: Typed): InputSpec[] {
  return SPECS.map(spec => (spec === DISCOUNT ? (DISCOUNTS[String(kind)] ?? spec) : spec))
}

export function createEmptyCoupon(now: number): Typed {
  const startTime = new Date(now).toISOString()
  const start = {
    kind: 'percent',
    startTime,
    oncePerPerson: true,
    mayBeFree: false,
    categories: []
  }
  return toTyped(SPECS, start)
}

export function toCouponFields(coupon: AdminCoupon): CouponFields {
  const { id: _, version: _v, state: _s, uses: _u, createdAt: _c, ...fields } = coupon
  return fields
}

export const COUPON_FORM: RecordForm<AdminCoupon, CouponFields> = {
  specs: SPECS,
  labels: {
    ...labelsOf(SPECS),
    percent: 'Discount in percent',
    amount: 'Discount in rupees'
  },
  format: fieldFormatter({
    percent: (percent: number) => `${percent}%`,
    amount: formatRupees,
    minimum: formatRupees,
    startTime: formatDayAndTime,
    endTime: formatDayAndTime
  }),
  toFields: toCouponFields,
  toTyped: ({ percent, amount, minimum, ...coupon }) =>
    toTyped(SPECS, {
      ...coupon,
      kind: percent === null ? 'amount' : 'percent',
      discount: percent ?? amount,
      minimum: minimum === 0 ? null : minimum
    }),
  parse: (typed, before) => {
    const parsed = parseTyped(listCouponSpecs(typed), typed, before)
    const { kind, discount, minimum, code, ...fields } = parsed
    return {
      ...(fields as unknown as CouponFields),
      code: normalizeCouponCode(String(code)),
      percent: kind === 'percent' ? Number(discount) : null,
      amount: kind === 'percent' ? null : Number(discount),
      minimum: Number(minimum)
    }
  },
  check: ({ code, percent, amount, startTime, endTime, ...fields }, typed) => {
    const { minCode, code: maxCode } = COUPON_LIMITS
    const isCode = new RegExp(`^[A-Z0-9-]{${minCode},${maxCode}}$`).test(code)
    const isEndTooEarly = endTime !== null && endTime <= startTime
    const discount = percent ?? amount
    return {
      ...(!isCode && { code: ADMIN_MESSAGES.couponCodeInvalid }),
      ...findProblems(listCouponSpecs(typed), { ...fields, startTime, discount }),
      ...(isEndTooEarly && { endTime: ADMIN_MESSAGES.couponEndTooEarly })
    }
  }
}

export function formatCouponDiscount({
  percent,
  amount
}: Pick<CouponFields, 'percent' | 'amount'>): string {
  return percent === null ? formatRupees(amount ?? 0) : `${percent}%`
}

export const COUPON_STATES: Readonly<Record<AdminCoupon['state'], string>> = {
  scheduled: 'Scheduled',
  running: 'Running',
  used_up: 'Used up',
  ended: 'Ended'
}

export function formatUses({ uses, maxUses }: Pick<AdminCoupon, 'uses' | 'maxUses'>): string {
  return maxUses === null ? String(uses) : `${uses} of ${maxUses}`
}
