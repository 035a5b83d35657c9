import { CURRENCY, LOCALE } from './constants.ts'

/** For example, 18050 means ₹180.50. */
export type Paise = number & { readonly unit: 'paise' }

/** Throws RangeError unless the amount is a safe integer. */
export function toPaise(amount: number): Paise {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not a whole number of paise`)
  return amount as Paise
}

/** Rounds half a paisa up. */
export function fromRupees(rupees: number): Paise {
  return toPaise(Math.round(Number((rupees * 100).toFixed(4))))
}

export function toRupees(amount: Paise): number {
  return amount / 100
}

export function multiply(price: Paise, count: number): Paise {
  return toPaise(price * count)
}

/** Rounds half a paisa up. */
export function applyDiscount(price: Paise, percent: number): Paise {
  return toPaise(Math.floor((price * (100 - percent) + 50) / 100))
}

export function sumPaise(amounts: readonly Paise[]): Paise {
  return toPaise(amounts.reduce<number>((sum, amount) => sum + amount, 0))
}

const rupeeFormat = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: CURRENCY })

export function formatRupees(rupees: number): string {
  return rupeeFormat.format(rupees)
}

export function formatPaise(amount: Paise): string {
  return formatRupees(toRupees(amount))
}

const BELOW_TWENTY = [
  ...['Zero', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'],
  ...['Thirteen', 'Fourteen', 'Fifteen', 'Sixteen', 'Seventeen', 'Eighteen', 'Nineteen']
]
const TENS = ['', '', 'Twenty', 'Thirty', 'Forty', 'Fifty', 'Sixty', 'Seventy', 'Eighty', 'Ninety']
const UNITS = [
  [10_000_000, 'Crore'],
  [100_000, 'Lakh'],
  [1000, 'Thousand'],
  [100, 'Hundred']
] as const

/** Returns the form used on Indian invoices: 'Rupees One Lakh Twenty Thousand and Fifty Paise Only'. */
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
  return `${TENS[Math.floor(count / 10)] ?? ''}${rest > 0 ? ` ${BELOW_TWENTY[rest] ?? ''}` : ''}`
}

/** Splits `sum` in proportion to the weights. No share is above its weight, as long as `sum` is not above their sum. */
export function splitByLargestRemainder(sum: Paise, weights: readonly Paise[]): Paise[] {
  const all = sumPaise(weights)
  const parts = weights.map((weight, index) => {
    // The product can be larger than the largest safe integer.
    const product = BigInt(sum) * BigInt(weight)
    return { index, share: Number(product / BigInt(all)), rest: Number(product % BigInt(all)) }
  })
  const left = sum - parts.reduce((total, { share }) => total + share, 0)
  const rounded = new Set([...parts].sort((a, b) => b.rest - a.rest || a.index - b.index).slice(0, left))
  return parts.map(part => toPaise(part.share + (rounded.has(part) ? 1 : 0)))
}
