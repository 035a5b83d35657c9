import { toTaxText } from '../checkout/checkout-form.ts'
import type { TaxStatus } from '../contract/names.ts'
import type { Order, Seller } from '../contract/orders.ts'
import { fromRupees, sumPaise, toPaise, toRupees, type Paise } from '../money.ts'
import { formatDate } from '../time.ts'
import { formatSupplyState, toStateTaxName } from '../contract/states.ts'
import { sumByRate, sumTaxes, toBasisPoints, type Tax, type TaxedLine } from './taxes.ts'

/** By the CGST Rules 2017: rule 46 (tax invoice) and rule 49 (bill of supply). */
export const DOCUMENT_TITLES: Readonly<Record<TaxStatus, string>> = {
  unregistered: 'Invoice',
  composition: 'Bill of supply',
  regular: 'Tax invoice'
}

/** The words of CGST rule 5(1)(f), which must be at the top of each bill of supply. */
export const COMPOSITION_SENTENCE =
  'Composition taxable person, not eligible to collect tax on supplies'

/** 'PG/26-27/000042'. CGST rules 46, 49 and 53 allow at most 16 characters. */
export function formatSerialNumber(
  series: 'PG' | 'CN',
  year: string | null,
  no: number | null
): string | null {
  return year === null || no === null ? null : `${series}/${year}/${String(no).padStart(6, '0')}`
}

type Item = Order['items'][number]

export interface Paper {
  title: string
  number: string
  date: string
  seller: Seller
  items: Order['items']
  totalAmount: number
  deliveryFee?: number | undefined
  deliveryTax?: Order['deliveryTax']
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
    ...(status === 'composition' && { sentence: COMPOSITION_SENTENCE }),
    ...((!invoice || status === 'regular') && { taxText })
  }
  const creditNote = {
    ...facts,
    title: 'Credit note',
    credits: `${title} ${invoiceNumber} of ${formatDate(date)}`
  }
  const ofChanges = changes.flatMap(({ creditNoteNumber: number, at, items, credited }) =>
    number === undefined ? [] : [{ ...creditNote, number, date: at, items, totalAmount: credited }]
  )
  const { items, totalAmount, deliveryFee, deliveryTax } = order
  const rest = { items, totalAmount, deliveryFee, deliveryTax }
  const cancelledAt = history.find(step => step.status === 'cancelled')?.at ?? date
  return [
    { ...facts, ...rest, ...toInvoiced(order), title, number: invoiceNumber, date },
    ...ofChanges,
    ...(creditNoteNumber === undefined
      ? []
      : [{ ...creditNote, ...rest, number: creditNoteNumber, date: cancelledAt }])
  ]
}

function toInvoiced({
  items,
  totalAmount,
  changes = []
}: Order): Pick<Paper, 'items' | 'totalAmount'> {
  if (changes.length === 0) return { items, totalAmount }
  const parts = [...items, ...changes.flatMap(change => change.items)]
  const lines = [...new Set(parts.map(({ line }) => line))].toSorted((a, b) => a - b)
  const credited = sumPaise(changes.map(change => fromRupees(change.credited)))
  return {
    items: lines.map(line => parts.filter(part => part.line === line).reduce(addItems)),
    totalAmount: toRupees(toPaise(fromRupees(totalAmount) + credited))
  }
}

function addItems(a: Item, b: Item): Item {
  const add = (one = 0, other = 0): number =>
    toRupees(sumPaise([fromRupees(one), fromRupees(other)]))
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
  delivery: readonly TaxedLine[]
  rates: readonly TaxedLine[]
  total: Tax
  placeOfSupply: string
}

export function toTaxView(
  { invoice }: Pick<Order, 'invoice'>,
  { items, deliveryTax = [] }: Pick<Paper, 'items' | 'deliveryTax'>
): TaxView | undefined {
  if (invoice?.status !== 'regular') return undefined
  const { gstin } = invoice.seller
  const ownState = gstin.slice(0, 2)
  const { supplyState = ownState } = invoice
  const lines = items.flatMap(item => (item.tax ? [{ item, tax: toTaxedLine(item.tax) }] : []))
  const delivery = deliveryTax.map(toTaxedLine)
  const taxes = [...lines.map(({ tax }) => tax), ...delivery]
  return {
    columns: supplyState === ownState ? toStateColumns(ownState) : [['igst', 'IGST']],
    lines,
    delivery,
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

const BELOW_TWENTY = (
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen ' +
  'Sixteen Seventeen Eighteen Nineteen'
).split(' ')
const FROM_TWENTY = 'Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'.split(' ')
const UNITS = [
  [10_000_000, 'Crore'],
  [100_000, 'Lakh'],
  [1000, 'Thousand'],
  [100, 'Hundred']
] as const

/** As on Indian invoices: 'Rupees One Lakh Twenty Thousand and Fifty Paise Only'. */
export function formatAmountInWords(amount: Paise): string {
  const [rupees, paise] = [Math.floor(amount / 100), amount % 100]
  const parts = [
    ...(rupees > 0 || paise === 0 ? [`Rupees ${numberInWords(rupees)}`] : []),
    ...(paise > 0 ? [`${numberInWords(paise)} Paise`] : [])
  ]
  return `${parts.join(' and ')} Only`
}

function numberInWords(count: number): string {
  for (const [size, name] of UNITS) {
    if (count < size) continue
    const rest = count % size
    return `${numberInWords(Math.floor(count / size))} ${name}${rest > 0 ? ` ${numberInWords(rest)}` : ''}`
  }
  if (count < BELOW_TWENTY.length) return BELOW_TWENTY[count] ?? ''
  const rest = count % 10
  return `${FROM_TWENTY[Math.floor(count / 10) - 2] ?? ''}${rest > 0 ? ` ${BELOW_TWENTY[rest] ?? ''}` : ''}`
}
