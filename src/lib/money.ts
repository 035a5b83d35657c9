import { CURRENCY, LOCALE } from './constants.ts'

/** 18050 is ₹180.50. */
export type Paise = number & { readonly unit: 'paise' }

/** Throws RangeError unless the amount is a safe integer. */
export function paise(amount: number): Paise {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not a whole number of paise`)
  return amount as Paise
}

/** Rounds the third decimal half up. */
export function fromRupees(rupees: number): Paise {
  return paise(Math.round(Number((rupees * 100).toFixed(4))))
}

export function toRupees(amount: Paise): number {
  return amount / 100
}

export function times(price: Paise, count: number): Paise {
  return paise(price * count)
}

export function total(amounts: readonly Paise[]): Paise {
  return paise(amounts.reduce<number>((sum, amount) => sum + amount, 0))
}

const rupeeFormat = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: CURRENCY })

export function formatRupees(rupees: number): string {
  return rupeeFormat.format(rupees)
}

export function formatPaise(amount: Paise): string {
  return formatRupees(toRupees(amount))
}
