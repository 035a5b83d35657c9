import { DEFAULT_QUANTITY_TYPE, DEFAULT_UNIT, MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '../constants.ts'
import type { Product } from '../contract/catalog.ts'
import type { PackSize, Picture } from '../contract/values.ts'
import type { LineProblem } from '../pricing.ts'

/** A line as `localStorage` keeps it: what the shopper saw, and how many packs. Its price is shown, never charged. */
export interface CartLine {
  _id: string
  name: string
  /** Rupees. */
  price: number
  image: string
  picture?: Picture
  /** The size of one pack. */
  packSize?: PackSize
  /** `value` counts packs; unit and type are the pack's. */
  quantity: PackSize
  /** Percent off, for a line of a flash deal; `price` is what is left. */
  discount?: number
  /** The deal in which the shopper drew it. */
  dealId?: string
  /** Why a line that had a discount has it no more; said until the line is changed. */
  lost?: LostDiscount
}

export const LOST_DISCOUNTS = ['discount_ended', 'discount_used'] as const satisfies readonly LineProblem[]
export type LostDiscount = (typeof LOST_DISCOUNTS)[number]

/** What a shopper has drawn for a product. */
export type DrawnDiscount = Required<Pick<CartLine, 'dealId' | 'discount'>>

/** What a page knows of a product when it puts one in the cart. */
export type CartProduct = Pick<CartLine, '_id' | 'name' | 'price' | 'image' | 'picture' | 'packSize'>

export function cartProduct(product: Product): CartProduct {
  const [picture] = product.pictures
  const { _id, name, price, image, quantity: packSize } = product
  return { _id, name, price, image, ...(picture && { picture }), packSize }
}

export function newLine(product: CartProduct, count: number): CartLine {
  const { unit = DEFAULT_UNIT, type = DEFAULT_QUANTITY_TYPE } = product.packSize ?? {}
  return { ...product, quantity: { value: count, unit, type } }
}

export interface Decoded {
  lines: CartLine[]
  /** How many lines could not be understood. */
  dropped: number
}

/** Reads what storage holds, whatever it holds: broken JSON or lines of an older shop are dropped, never thrown. */
export function decodeCart(stored: string): Decoded {
  let parsed: unknown
  try {
    parsed = JSON.parse(stored)
  } catch {
    return { lines: [], dropped: 1 }
  }
  if (!Array.isArray(parsed)) return { lines: [], dropped: 1 }
  const lines = parsed
    .filter(isLine)
    .filter((line, index, all) => all.findIndex(other => isSameLine(other, line)) === index)
  return { lines, dropped: parsed.length - lines.length }
}

/** What tells lines apart: a product may be there plain and, once, discounted. */
export type LineId = Pick<CartLine, '_id' | 'discount'>

export function isSameLine(line: LineId, other: LineId): boolean {
  return line._id === other._id && (line.discount === undefined) === (other.discount === undefined)
}

// Beyond this a total may leave the whole numbers that a double can hold.
const MOST_RUPEES = 10_000_000

function isLine(value: unknown): value is CartLine {
  const line = value as Partial<CartLine> | null
  return (
    typeof line?._id === 'string' &&
    typeof line.name === 'string' &&
    isWithin(line.price, 0, MOST_RUPEES) &&
    typeof line.image === 'string' &&
    isPack(line.quantity) &&
    Number.isInteger(line.quantity.value) &&
    isWithin(line.quantity.value, MIN_CART_QUANTITY, MAX_CART_QUANTITY) &&
    (line.discount === undefined || isWithin(line.discount, 0, 100)) &&
    (line.dealId === undefined || typeof line.dealId === 'string') &&
    (line.packSize === undefined || isPack(line.packSize)) &&
    (line.picture === undefined || isPicture(line.picture))
  )
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

function isPack(value: unknown): value is PackSize {
  const pack = value as Partial<PackSize> | null | undefined
  return typeof pack?.value === 'number' && typeof pack.unit === 'string' && typeof pack.type === 'string'
}

function isPicture(value: unknown): value is Picture {
  const picture = value as Partial<Picture> | null
  return (
    typeof picture?.key === 'string' &&
    typeof picture.width === 'number' &&
    typeof picture.height === 'number' &&
    typeof picture.alt === 'string' &&
    typeof picture.color === 'string'
  )
}
