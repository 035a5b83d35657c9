import { DEFAULT_QUANTITY_TYPE, DEFAULT_UNIT, MAX_CART_QUANTITY, MIN_CART_QUANTITY } from '../constants.ts'
import type { Product } from '../contract/catalog.ts'
import type { PackSize, Picture } from '../contract/values.ts'

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
  /** Percent off, for a line of a flash deal. */
  discount?: number
}

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
  const lines = parsed.filter(isLine)
  return { lines, dropped: parsed.length - lines.length }
}

function isLine(value: unknown): value is CartLine {
  const line = value as Partial<CartLine> | null
  return (
    typeof line?._id === 'string' &&
    typeof line.name === 'string' &&
    typeof line.price === 'number' &&
    line.price >= 0 &&
    typeof line.image === 'string' &&
    Number.isInteger(line.quantity?.value) &&
    Number(line.quantity?.value) >= MIN_CART_QUANTITY &&
    Number(line.quantity?.value) <= MAX_CART_QUANTITY
  )
}
