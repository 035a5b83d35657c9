import { DEFAULT_QUANTITY_TYPE, DEFAULT_UNIT, MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '../constants.ts'
import type { Product } from '../contract/catalog.ts'
import type { PackSize, Picture } from '../contract/values.ts'
import type { LineProblem } from '../pricing.ts'

/** Stored in `localStorage`. The price is only displayed. The server calculates the price that is charged. */
export interface CartLine {
  _id: string
  name: string
  /** In rupees. */
  price: number
  image: string
  picture?: Picture
  packSize?: PackSize
  /** `value` is the number of packs. `unit` and `type` describe the pack. */
  quantity: PackSize
  discount?: number
  dealId?: string
  lost?: LostDiscount
}

export const LOST_DISCOUNTS = ['discount_ended', 'discount_used'] as const satisfies readonly LineProblem[]
export type LostDiscount = (typeof LOST_DISCOUNTS)[number]

export type DrawnDiscount = Required<Pick<CartLine, 'dealId' | 'discount'>>

export type CartProduct = Pick<CartLine, '_id' | 'name' | 'price' | 'image' | 'picture' | 'packSize'>

export function toCartProduct(product: Product): CartProduct {
  const [picture] = product.pictures
  const { _id, name, price, image, quantity: packSize } = product
  return { _id, name, price, image, ...(picture && { picture }), packSize }
}

export function createLine(product: CartProduct, count: number): CartLine {
  const { unit = DEFAULT_UNIT, type = DEFAULT_QUANTITY_TYPE } = product.packSize ?? {}
  return { ...product, quantity: { value: count, unit, type } }
}

export interface DecodedCart {
  lines: CartLine[]
  droppedCount: number
}

export function decodeCart(stored: string): DecodedCart {
  let parsed: unknown
  try {
    parsed = JSON.parse(stored)
  } catch {
    return { lines: [], droppedCount: 1 }
  }
  if (!Array.isArray(parsed)) return { lines: [], droppedCount: 1 }
  const lines = parsed
    .filter(isLine)
    .filter((line, index, all) => all.findIndex(other => isSameLine(other, line)) === index)
  return { lines, droppedCount: parsed.length - lines.length }
}

export type LineId = Pick<CartLine, '_id' | 'discount'>

export function isSameLine(line: LineId, other: LineId): boolean {
  return line._id === other._id && (line.discount === undefined) === (other.discount === undefined)
}

// This limit keeps totals in paise below the largest safe integer.
const MAX_RUPEES = 10_000_000

function isLine(value: unknown): value is CartLine {
  const line = value as Partial<CartLine> | null
  return (
    typeof line?._id === 'string' &&
    typeof line.name === 'string' &&
    isWithin(line.price, 0, MAX_RUPEES) &&
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

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max
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
