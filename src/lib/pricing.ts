import { paise, times, total, type Paise } from './money.ts'

/** What `percent` off leaves of a price: price × (100 − percent) / 100, half up in whole paise. */
export function discounted(price: Paise, percent: number): Paise {
  return paise(Math.floor((price * (100 - percent) + 50) / 100))
}

interface Priced {
  readonly price: Paise
  /** How many packs. */
  readonly count: number
}

/** The sum of price times count over all lines; the shop charges no fee and shows no tax. */
export function cartTotal(lines: readonly Priced[]): Paise {
  return total(lines.map(line => times(line.price, line.count)))
}
