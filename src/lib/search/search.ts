import type { CardProduct } from '../catalog-filter.ts'
import type { SearchData } from '../contract/search.ts'
import type { PackSize } from '../contract/values.ts'

type CardField = 'id' | 'name' | 'nameTamil' | 'description' | 'category' | 'dietary' | 'rating' | 'quantity' | 'sizes'

export interface Searchable extends Pick<CardProduct, CardField> {
  ingredients?: readonly string[]
  /** By default, only `quantity`. */
  packs?: readonly PackSize[]
}

export interface Search<Found> {
  /** Returns the matching products, the best ones first. */
  find(text: string): Found[]
  /** Returns the nearest spelling that finds something, for a text that finds nothing. */
  suggestSpelling(text: string): string | undefined
}

export function createSearch<Card extends Searchable>(products: readonly Card[], _data: SearchData): Search<Card> {
  return {
    find: text => products.filter(product => isLiteralMatch(product, text)),
    suggestSpelling: () => undefined
  }
}

/** True if name or description contain all words as they were typed, in any case (section 5 of the specification). */
export function isLiteralMatch({ name, nameTamil, description }: Searchable, text: string): boolean {
  const searched = normalize(`${name} ${nameTamil} ${description}`)
  return normalize(text)
    .split(' ')
    .every(word => searched.includes(word))
}

function normalize(text: string): string {
  return text.trim().replace(/\s+/g, ' ').normalize('NFC').toLowerCase()
}
