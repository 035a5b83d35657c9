import { hasTypes, parseJson } from '../browser.ts'
import {
  DEFAULT_QUANTITY_TYPE,
  DEFAULT_UNIT,
  MAX_CART_QUANTITY,
  MIN_CART_QUANTITY
} from '../constants.ts'
import type { PackSize, Picture } from '../contract/values.ts'
import type { LineProblem } from '../contract/names.ts'

/** In `localStorage`. The price is only displayed: the server decides. */
export interface CartLine {
  _id: string
  name: string
  /** In rupees. */
  price: number
  image: string
  picture?: Picture
  packSize?: PackSize
  /** `value` counts packs, `unit` and `type` describe one. */
  quantity: PackSize
  discount?: number
  dealId?: string
  lost?: LostDiscount
}

type LostDiscount = Extract<LineProblem, `discount_${string}`>

export type LineDiscount = Required<Pick<CartLine, 'dealId' | 'discount'>>

export type CartProduct = Pick<
  CartLine,
  '_id' | 'name' | 'price' | 'image' | 'picture' | 'packSize'
>

interface ProductFacts extends Pick<CartLine, '_id' | 'name' | 'price' | 'image'> {
  picture?: Picture | null | undefined
  packSize?: PackSize | null | undefined
}

export function toCartProduct(product: ProductFacts): CartProduct {
  const { _id, name, price, image, picture, packSize } = product
  return { _id, name, price, image, ...(picture && { picture }), ...(packSize && { packSize }) }
}

export function createLine(product: CartProduct, count: number): CartLine {
  const { unit = DEFAULT_UNIT, type = DEFAULT_QUANTITY_TYPE } = product.packSize ?? {}
  return { ...product, quantity: { value: count, unit, type } }
}

/** More would freeze the page. */
const MAX_STORED_LINES = 500

export function decodeCart(stored: string): { lines: CartLine[]; droppedCount: number } {
  const parsed = parseJson(stored)
  if (!Array.isArray(parsed)) return { lines: [], droppedCount: 1 }
  const lines = parsed
    .slice(0, MAX_STORED_LINES)
    .filter(isLine)
    .filter((line, index, all) => all.findIndex(other => isSameLine(other, line)) === index)
  return { lines, droppedCount: parsed.length - lines.length }
}

export type LineId = Pick<CartLine, '_id' | 'discount'>

export function isSameLine(line: LineId, other: LineId): boolean {
  return line._id === other._id && (line.discount === undefined) === (other.discount === undefined)
}

// Keeps totals in paise below the largest safe integer.
const MAX_RUPEES = 10_000_000

const PACK_TYPES = { value: 'number', unit: 'string', type: 'string' }
const PICTURE_TYPES = {
  key: 'string',
  width: 'number',
  height: 'number',
  alt: 'string',
  color: 'string'
}

function isLine(value: unknown): value is CartLine {
  const line = value as Partial<CartLine> | null
  return (
    hasTypes(line, { _id: 'string', name: 'string', image: 'string' }) &&
    isWithin(line?.price, 0, MAX_RUPEES) &&
    hasTypes(line?.quantity, PACK_TYPES) &&
    Number.isInteger(line?.quantity?.value) &&
    isWithin(line?.quantity?.value, MIN_CART_QUANTITY, MAX_CART_QUANTITY) &&
    (line?.discount === undefined || isWithin(line.discount, 0, 100)) &&
    (line?.dealId === undefined || typeof line.dealId === 'string') &&
    (line?.packSize === undefined || hasTypes(line.packSize, PACK_TYPES)) &&
    (line?.picture === undefined || hasTypes(line.picture, PICTURE_TYPES))
  )
}

function isWithin(value: unknown, min: number, max: number) {
  return typeof value === 'number' && value >= min && value <= max
}

export function withCount(line: CartLine, count: number): CartLine {
  return { ...line, quantity: { ...line.quantity, value: count } }
}

export function mergeEqualLines(lines: readonly CartLine[]): CartLine[] {
  return lines.reduce<CartLine[]>((merged, line) => {
    const first = merged.find(candidate => isSameLine(candidate, line))
    if (!first) return [...merged, line]
    const lost = first.lost ?? line.lost
    const count = Math.min(first.quantity.value + line.quantity.value, MAX_CART_QUANTITY)
    const joined = { ...withCount(first, count), ...(lost && { lost }) }
    return merged.map(candidate => (candidate === first ? joined : candidate))
  }, [])
}
