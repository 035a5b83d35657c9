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

/** The sale price applies from `sale_from` until just before `sale_until`. Null: no limit. */
export interface SaleColumns {
  sale_price: Paise | null
  sale_from: string | null
  sale_until: string | null
}

export interface FamilyColumns {
  /** Equal for the pack sizes of a product. Null if there is only one. */
  family_id: string | null
  family_position: Generated<number>
}

export interface KitchenColumns {
  kitchen_units: Generated<number>
  extra_lead_days: Generated<number>
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

export interface StockAlertRow {
  id: string
  product_id: string
  user_id: string
  asked_at: string
}
