import type { CategoryName } from '#lib/constants.ts'

/** `price` is in rupees per pack. */
export interface SeedProduct {
  id: string
  name: string
  nameTamil: string
  category: CategoryName
  description: string
  price: number
  quantity: { value: number; unit: 'g' | 'ml' | 'piece'; type: 'weight' | 'volume' | 'count' }
  stock: number
  /** Allergens are in brackets where the name hides them: 'Ghee (milk)', 'Semolina (wheat)'. */
  ingredients: string[]
  shelfLife: string
  dietary: 'vegetarian' | 'vegan'
  rating: number
  /** Tax codes are for the shop and its accountant to enter. */
  hsn?: never
}
