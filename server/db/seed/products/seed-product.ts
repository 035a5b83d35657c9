import type { CategoryName } from '#lib/constants.ts'

/** A product of the demo catalogue; `price` in rupees for the whole pack, `shelfLife` as printed on it. */
export interface SeedProduct {
  /** The slug of its pictures in the manifest, and the product's address. */
  id: string
  name: string
  nameTamil: string
  category: CategoryName
  description: string
  price: number
  quantity: { value: number; unit: 'g' | 'ml' | 'piece'; type: 'weight' | 'volume' | 'count' }
  stock: number
  /** Allergens are said in brackets where the name alone hides them: 'Ghee (milk)', 'Semolina (wheat)'. */
  ingredients: string[]
  shelfLife: string
  dietary: 'vegetarian' | 'vegan'
  rating: number
  /** Tax codes are the owner's to enter, with their accountant; a demo must not suggest any. */
  hsn?: never
}
