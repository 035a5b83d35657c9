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
