import { api } from '../api.ts'
import { toCards, type SearchCard } from '../catalog/cards.ts'
import type { SearchData } from '../contract/content.ts'
import { text } from '../contract/texts.ts'
import { paths } from '../paths.ts'
import { $catalog, loadCatalog } from '../stores/catalog.ts'
import { createSearch } from './search.ts'
import type { Searchable } from './word-index.ts'

export interface SuggestedLink {
  kind: string
  name: string
  path: string
}

export interface Suggestions {
  links: SuggestedLink[]
  products: SearchCard[]
  /** Of all cards that were found. */
  ids: string[]
  spelling: string | undefined
}

export type Suggest = (text: string) => Suggestions

const MAX_LINKS = 2
const MAX_PRODUCTS = 5

export async function loadSuggest(): Promise<Suggest> {
  const [data] = await Promise.all([api('GET /search'), loadCatalog()])
  const catalog = $catalog.get()
  if (catalog.state === 'failed') throw catalog.error
  return createSuggest(catalog.state === 'ready' ? catalog.value : [], data)
}

function createSuggest(products: readonly SearchCard[], data: SearchData): Suggest {
  const { find, suggestSpelling } = createSearch(products, data)
  const links = createSearch(listLinks(products, data), {
    ...data,
    categories: [],
    collections: []
  })
  return text => {
    const found = toCards(find(text))
    const foundLinks = links.find(text)
    return {
      links: foundLinks.slice(0, MAX_LINKS),
      products: found.slice(0, MAX_PRODUCTS),
      ids: found.map(({ id }) => id),
      spelling: found.length + foundLinks.length === 0 ? suggestSpelling(text) : undefined
    }
  }
}

function listLinks(
  products: readonly SearchCard[],
  data: SearchData
): (SuggestedLink & Searchable)[] {
  const used = new Set(products.map(({ category }) => category))
  const categories = data.categories.filter(({ name }) => used.has(name))
  return [
    ...categories.map(({ name, label, labelTamil }) => ({
      kind: text('Category'),
      path: paths.category(name),
      ...toSearchable(name, label, labelTamil)
    })),
    ...data.collections.map(({ id, name, nameTamil }) => ({
      kind: text('Collection'),
      path: paths.collection(id),
      ...toSearchable(id, name, nameTamil)
    }))
  ]
}

function toSearchable(id: string, name: string, nameTamil: string): Searchable {
  const quantity = { type: 'count', value: 1, unit: 'piece' }
  return {
    id,
    name,
    nameTamil,
    description: '',
    category: '',
    dietary: 'vegetarian',
    rating: 0,
    quantity
  }
}
