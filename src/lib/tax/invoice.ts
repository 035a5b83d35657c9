import { toTaxText } from '../checkout/checkout-form.ts'
import type { TaxStatus } from '../contract/names.ts'
import { t, text, texts } from '../contract/texts.ts'
import type { Order, OrderChange, Seller } from '../contract/orders.ts'
import { fromRupees, sumPaise, toPaise, toRupees, type Paise } from '../money.ts'
import { toInvoicedTotal } from '../order.ts'
import { formatDate } from '../time.ts'
import { formatSupplyState, toStateTaxName } from '../contract/states.ts'
import { sumByRate, sumTaxes, toBasisPoints, type Tax, type TaxedLine } from './taxes.ts'

/** By the CGST Rules 2017: rule 46 (tax invoice) and rule 49 (bill of supply). */
export const DOCUMENT_TITLES = texts<Readonly<Record<TaxStatus, string>>>({
  unregistered: 'Invoice||title',
  composition: 'Bill of supply',
  regular: 'Tax invoice'
})

/** The words of CGST rule 5(1)(f), which must be at the top of each bill of supply. */
export const COMPOSITION_SENTENCE = text(
  'Composition taxable person, not eligible to collect tax on supplies'
)

/** 'PG/26-27/000042'. CGST rules 46, 49 and 53 allow at most 16 characters. */
export function formatSerialNumber(
  series: 'PG' | 'CN',
  year: string | null,
  no: number | null
): string | null {
  return year === null || no === null ? null : `${series}/${year}/${String(no).padStart(6, '0')}`
}

type Item = Order['items'][number]

export const EXTRA_LABELS = texts({
  delivery: 'Delivery',
  refund: 'Refund||amount',
  earlier: 'Earlier refund'
})
const EXTRA_TAX_TEXTS = {
  delivery: text('Delivery of items at {rate}%'),
  refund: text('Refund of items at {rate}%'),
  earlier: text('Earlier refund of items at {rate}%')
}

/** Besides the items. */
interface Extra {
  kind: keyof typeof EXTRA_LABELS
  amount: number
  taxes: readonly TaxedLine[]
}

export interface Paper {
  title: string
  number: string
  date: string
  seller: Seller
  items: Order['items']
  totalAmount: number
  extras: readonly Extra[]
  credits?: string
  sentence?: string
  taxText?: string
}

/** The invoice, then its credit notes. `shop` is for old invoices, which do not store it. */
export function listPapers(order: Order, shop: { seller: Seller; taxText: string }): Paper[] {
  const {
    invoice,
    invoiceNumber,
    creditNoteNumber,
    paidAt,
    createdAt,
    history,
    changes = []
  } = order
  if (invoiceNumber === null) return []
  const status = invoice?.status ?? 'unregistered'
  const date = paidAt ?? createdAt
  const title = DOCUMENT_TITLES[status]
  const seller = invoice?.seller ?? shop.seller
  const taxText = invoice ? toTaxText({ status, gstin: seller.gstin }) : shop.taxText
  const facts = {
    seller,
    ...(status === 'composition' && { sentence: t(COMPOSITION_SENTENCE) }),
    ...((!invoice || status === 'regular') && { taxText })
  }
  const creditNote = {
    ...facts,
    title: t('Credit note||title'),
    credits: t('{title} {number} of {date}', {
      title,
      number: invoiceNumber,
      date: formatDate(date)
    })
  }
  const ofChanges = changes.flatMap(change => {
    const { creditNoteNumber: number, at, items, credited } = change
    const extras = toExtras(credited, change)
    if (number === undefined) return []
    return [{ ...creditNote, number, date: at, items, totalAmount: credited, extras }]
  })
  const { items, totalAmount, deliveryFee: amount = 0, deliveryTax: taxes = [] } = order
  const delivery: Extra[] =
    amount > 0 ? [{ kind: 'delivery', amount, taxes: taxes.map(toTaxedLine) }] : []
  const rest = { items, totalAmount, extras: [...delivery, ...toRefundedBefore(order)] }
  const cancelledAt = history.find(step => step.status === 'cancelled')?.at ?? date
  return [
    { ...facts, ...toInvoiced(order), extras: delivery, title, number: invoiceNumber, date },
    ...ofChanges,
    ...(creditNoteNumber === undefined
      ? []
      : [{ ...creditNote, ...rest, number: creditNoteNumber, date: cancelledAt }])
  ]
}

function toExtras(
  total: number,
  { items, otherTax = [] }: Pick<OrderChange, 'items' | 'otherTax'>
): Extra[] {
  const amount = add(total, ...items.map(item => 0 - item.total))
  const kind = amount < 0 ? 'earlier' : 'refund'
  const taxes = otherTax.map(toTaxedLine)
  return amount === 0 && taxes.length === 0 ? [] : [{ kind, amount, taxes }]
}

/** Without taking packs off the order. A cancellation credits only the rest. */
function toRefundedBefore({ refundedAmount, changes = [] }: Order): Extra[] {
  if (refundedAmount === undefined) return []
  const taxes = changes.flatMap(({ keepsItems, items, otherTax = [] }) => [
    ...otherTax,
    ...(keepsItems ? items.flatMap(({ tax }) => (tax ? [tax] : [])) : [])
  ])
  const sums = sumByRate(taxes.map(toTaxedLine)).map(({ rate, ...sum }) => ({
    rate,
    taxable: toPaise(-sum.taxable),
    cgst: toPaise(-sum.cgst),
    sgst: toPaise(-sum.sgst),
    igst: toPaise(-sum.igst)
  }))
  return [{ kind: 'earlier', amount: -refundedAmount, taxes: sums }]
}

function toInvoiced(order: Order): Pick<Paper, 'items' | 'totalAmount'> {
  const { items, totalAmount, changes = [] } = order
  if (changes.length === 0) return { items, totalAmount }
  const parts = [...items, ...changes.flatMap(change => (change.keepsItems ? [] : change.items))]
  const lines = [...new Set(parts.map(({ line }) => line))].toSorted((a, b) => a - b)
  return {
    items: lines.map(line => parts.filter(part => part.line === line).reduce(addItems)),
    totalAmount: toInvoicedTotal(order)
  }
}

function add(...rupees: readonly (number | undefined)[]) {
  return toRupees(sumPaise(rupees.map((each = 0) => fromRupees(each))))
}

function addItems(a: Item, b: Item): Item {
  return {
    ...a,
    quantity: a.quantity + b.quantity,
    total: add(a.total, b.total),
    ...(a.couponDiscount !== undefined || b.couponDiscount !== undefined
      ? { couponDiscount: add(a.couponDiscount, b.couponDiscount) }
      : {}),
    ...(a.tax && {
      tax: {
        rate: a.tax.rate,
        taxable: add(a.tax.taxable, b.tax?.taxable),
        cgst: add(a.tax.cgst, b.tax?.cgst),
        sgst: add(a.tax.sgst, b.tax?.sgst),
        igst: add(a.tax.igst, b.tax?.igst)
      }
    })
  }
}

export interface TaxView {
  columns: readonly (readonly [part: keyof Tax, label: string])[]
  lines: readonly { item: Item; tax: TaxedLine }[]
  extras: readonly { text: string; tax: TaxedLine }[]
  rates: readonly TaxedLine[]
  total: Tax
  placeOfSupply: string
}

export function toTaxView(
  { invoice }: Pick<Order, 'invoice'>,
  paper: Pick<Paper, 'items' | 'extras'>
): TaxView | undefined {
  if (invoice?.status !== 'regular') return undefined
  const { gstin } = invoice.seller
  const ownState = gstin.slice(0, 2)
  const { supplyState = ownState } = invoice
  const lines = paper.items.flatMap(item =>
    item.tax ? [{ item, tax: toTaxedLine(item.tax) }] : []
  )
  const extras = paper.extras.flatMap(({ kind, taxes: each }) =>
    each.map(tax => ({ text: t(EXTRA_TAX_TEXTS[kind], { rate: tax.rate / 100 }), tax }))
  )
  const taxes = [...lines, ...extras].map(({ tax }) => tax)
  return {
    columns: supplyState === ownState ? toStateColumns(ownState) : [['igst', 'IGST']],
    lines,
    extras,
    rates: sumByRate(taxes),
    total: sumTaxes(taxes),
    placeOfSupply: formatSupplyState(supplyState)
  }
}

function toStateColumns(code: string): TaxView['columns'] {
  return [
    ['cgst', 'CGST'],
    ['sgst', toStateTaxName(code)]
  ]
}

function toTaxedLine({ rate, taxable, cgst, sgst, igst }: NonNullable<Item['tax']>): TaxedLine {
  return {
    rate: toBasisPoints(rate),
    taxable: fromRupees(taxable),
    cgst: fromRupees(cgst),
    sgst: fromRupees(sgst),
    igst: fromRupees(igst)
  }
}

// In languages with words of their own, the first text has all numbers below 100, and a unit has
// its words for one, two and more of it behind it.
const NUMBERS = text(
  'Zero,One,Two,Three,Four,Five,Six,Seven,Eight,Nine,Ten,Eleven,Twelve,Thirteen,Fourteen,Fifteen,' +
    'Sixteen,Seventeen,Eighteen,Nineteen'
)
const TENS = text('Twenty,Thirty,Forty,Fifty,Sixty,Seventy,Eighty,Ninety')
const UNITS = [
  [10_000_000, text('Crore'), text('Crore||before others')],
  [100_000, text('Lakh'), text('Lakh||before others')],
  [1000, text('Thousand'), text('Thousand||before others')],
  [100, text('Hundred'), text('Hundred||before others')]
] as const

/** As on Indian invoices: 'Rupees One Lakh Twenty Thousand and Fifty Paise Only'. */
export function formatAmountInWords(amount: Paise): string {
  const paise = numberInWords(amount % 100)
  if (amount > 0 && amount < 100) return t('{paise} Paise Only', { paise })
  const rupees = numberInWords(Math.floor(amount / 100))
  return amount % 100 === 0
    ? t('Rupees {rupees} Only', { rupees })
    : t('Rupees {rupees} and {paise} Paise Only', { rupees, paise })
}

function numberInWords(count: number): string {
  for (const [size, name, nameBefore] of UNITS) {
    if (count < size) continue
    const [units, rest] = [Math.floor(count / size), count % size]
    const names = t(rest > 0 ? nameBefore : name).split(',')
    const words = names[units] ?? `${numberInWords(units)} ${names[0]}`
    return rest > 0 ? `${words} ${numberInWords(rest)}` : words
  }
  const known = t(NUMBERS).split(',')[count]
  if (known !== undefined) return known
  const tens = t(TENS).split(',')[Math.floor(count / 10) - 2] ?? ''
  return count % 10 === 0 ? tens : `${tens} ${numberInWords(count % 10)}`
}
