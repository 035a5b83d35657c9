import type { Paise } from '../money.ts'

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
