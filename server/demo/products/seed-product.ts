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
  /** If a name does not show its allergen, the allergen follows in brackets: 'Ghee (milk)', 'Semolina (wheat)'. */
  ingredients: string[]
  shelfLife: string
  dietary: 'vegetarian' | 'vegan'
  rating: number
}
