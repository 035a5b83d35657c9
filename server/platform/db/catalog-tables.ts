import type { Generated } from 'kysely'
import type { Dietary } from '#lib/constants.ts'
import type { Paise } from '#lib/money.ts'

export interface ProductRow {
  id: string
  name: string
  name_tamil: string
  description: string
  price: Paise
  category: string
  dietary: Dietary
  /** Stars times ten: 46 means 4.6. */
  rating: number
  stock: number
  ingredients: string
  pack_value: number
  pack_unit: string
  pack_type: string
  shelf_life: string
  created_at: string
}

/** The sale price applies from `sale_from` until just before `sale_until`, both ISO. Null means without start or end. */
export interface SaleColumns {
  sale_price: Paise | null
  sale_from: string | null
  sale_until: string | null
}

export interface FamilyColumns {
  /** Products with the same id are pack sizes of one another. Null for a product that has only one. */
  family_id: string | null
  /** Order of the pack sizes. */
  family_position: Generated<number>
}

export interface KitchenColumns {
  /** What one pack takes of the kitchen's units of a day. */
  kitchen_units: Generated<number>
  /** Days that the product takes longer than the calendar's lead days. */
  extra_lead_days: Generated<number>
  /** 1 if no courier may take the product. */
  local_only: Generated<number>
  /** Null if the owner has not given it. */
  shelf_life_days: number | null
  allergens: Generated<string>
  nutrition: Generated<string>
}

export interface CollectionRow {
  id: string
  name: string
  name_tamil: string
  description: string
  picture_key: string | null
  position: number
}

export interface PictureRow {
  key: string
  name: string | null
  width: number
  height: number
  alt: string
  color: string
}

/** A shopper who wants a mail when a product is in stock again. */
export interface StockAlertRow {
  id: string
  product_id: string
  user_id: string
  asked_at: string
}
