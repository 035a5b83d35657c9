import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { LiveProduct } from '../contract/catalog.ts'

const $state = atom<ReadonlyMap<string, LiveProduct>>(new Map())
const $goneState = atom<ReadonlySet<string>>(new Set())

export const $liveProducts = readonlyType($state)
export const $goneProducts = readonlyType($goneState)

export function updateLiveProducts(...products: readonly LiveProduct[]): void {
  $state.set(new Map([...$state.get(), ...products.map(product => [product.id, product] as const)]))
}

export function updateGoneProducts(requested: readonly string[], gone: ReadonlySet<string>): void {
  $goneState.set(new Set([...[...$goneState.get()].filter(id => !requested.includes(id)), ...gone]))
}

export async function loadLiveProducts(ids?: readonly string[]): Promise<void> {
  try {
    const { products } = await api('GET /catalog/live', ids ? { query: { ids: ids.join(',') } } : {})
    updateLiveProducts(...products)
    if (ids) $goneState.set(new Set(ids.filter(id => !products.some(product => product.id === id))))
  } catch {
    // If the request fails, the page keeps its static prices.
  }
}
