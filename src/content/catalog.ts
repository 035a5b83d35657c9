import * as z from 'zod/mini'
import { Product, SitePicture } from '#lib/contract/catalog.ts'
import type { CategoryName } from '#lib/constants.ts'
import { reads } from './source.ts'

/** Every product, in the API's order. */
export const getProducts: () => Promise<Product[]> = reads('GET /products', z.array(Product))

const getPictures = reads('GET /pictures', z.array(SitePicture))

/** One product. Throws when the API has none of this id: a page was asked for that nothing lists. */
export async function getProduct(id: string): Promise<Product> {
  return found(await getProducts(), product => product.id === id, `product ${id}`)
}

/** Products of the same category, the best rated first, those in stock before those that are out. */
export async function getRelated(product: Product, most: number): Promise<Product[]> {
  const others = await productsOf(product.category)
  return byRating(others.filter(({ id }) => id !== product.id)).slice(0, most)
}

/** The best rated products that are in stock. */
export async function getBestsellers(most: number): Promise<Product[]> {
  const products = await getProducts()
  return byRating(products.filter(({ stock }) => stock > 0)).slice(0, most)
}

/** A picture that belongs to no product, by the name under which `shop.json` and the pages know it. */
export async function getPicture(name: string): Promise<SitePicture> {
  return found(await getPictures(), picture => picture.name === name.replace(/\.jpg$/, ''), `picture ${name}`)
}

async function productsOf(category: CategoryName): Promise<Product[]> {
  return (await getProducts()).filter(product => product.category === category)
}

function byRating(products: Product[]): Product[] {
  return products.sort(
    (a, b) => Number(b.stock > 0) - Number(a.stock > 0) || b.rating - a.rating || a.id.localeCompare(b.id)
  )
}

function found<Item>(items: readonly Item[], is: (item: Item) => boolean, what: string): Item {
  const item = items.find(is)
  if (!item) throw new Error(`The API knows no ${what}`)
  return item
}
