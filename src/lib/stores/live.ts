import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { LiveProduct } from '../contract/catalog.ts'

const $state = atom<ReadonlyMap<string, LiveProduct>>(new Map())
const $missing = atom<ReadonlySet<string>>(new Set())

/** Today's price, stock and deal by product id; empty until the shop has answered, or when it can't be reached. */
export const $live = readonlyType($state)
/** The ids that were asked for and that the shop does not sell (any more). */
export const $gone = readonlyType($missing)

/** Takes over what is known of products from elsewhere. */
export function learn(...products: readonly LiveProduct[]): void {
  $state.set(new Map([...$state.get(), ...products.map(product => [product.id, product] as const)]))
}

/** Takes over which of some products the shop sells no more. */
export function learnGone(asked: readonly string[], gone: ReadonlySet<string>): void {
  $missing.set(new Set([...[...$missing.get()].filter(id => !asked.includes(id)), ...gone]))
}

/** Asks for the given products, or for all; a shop that can't be reached leaves the prebuilt page as it is. */
export async function loadLive(ids?: readonly string[]): Promise<void> {
  try {
    const { products } = await api('GET /catalog/live', ids ? { query: { ids: ids.join(',') } } : {})
    learn(...products)
    if (ids) $missing.set(new Set(ids.filter(id => !products.some(product => product.id === id))))
  } catch {
    // The page stays as it was published, which is what a shopper without network should see.
  }
}
