import type { CardProduct } from '#lib/catalog/cards.ts'
import type { CartLine } from '#lib/cart/line.ts'

export function makeCard(id: string, draft: Partial<CardProduct> = {}): CardProduct {
  return {
    _id: id,
    id,
    name: id,
    nameTamil: 'பலகாரம்',
    description: 'Made this morning.',
    price: 100,
    image: `${id}.jpg`,
    category: 'sweets',
    dietary: 'vegetarian',
    rating: 4.5,
    stock: 'in',
    quantity: { value: 250, unit: 'g', type: 'weight' },
    ...draft
  }
}

export function makeLine(id: string, count = 1, draft: Partial<CartLine> = {}): CartLine {
  return {
    _id: id,
    name: id,
    price: 100,
    image: `${id}.jpg`,
    packSize: { value: 250, unit: 'g', type: 'weight' },
    quantity: { value: count, unit: 'g', type: 'weight' },
    ...draft
  }
}
