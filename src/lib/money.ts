import { CURRENCY, LOCALE } from './constants.ts'

/** An amount in the currency's smallest unit: 18050 is ₹180.50. */
export type Paise = number & { readonly unit: 'paise' }

/** Marks a whole number as paise. Throws RangeError for fractions and for what a double can't hold exactly. */
export function paise(amount: number): Paise {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not a whole number of paise`)
  return amount as Paise
}

/** 180.5 rupees as the wire has them, in paise; the third decimal is rounded half up. */
export function fromRupees(rupees: number): Paise {
  return paise(Math.round(Number((rupees * 100).toFixed(4))))
}

/** The wire's form: rupees with at most two decimals. */
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

/** '₹1,180.50': always two decimals, digits grouped as in India. */
export function formatRupees(rupees: number): string {
  return rupeeFormat.format(rupees)
}

export function formatPaise(amount: Paise): string {
  return formatRupees(toRupees(amount))
}
