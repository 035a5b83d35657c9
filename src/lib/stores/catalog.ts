import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import { toCardProduct, type CardProduct } from '../catalog-filter.ts'
import type { Product } from '../contract/catalog.ts'
import { ShopError } from '../shop-error.ts'
import { MESSAGES } from '../messages.ts'

export type Catalog =
  { state: 'waiting' } | { state: 'ready'; products: readonly CardProduct[] } | { state: 'failed'; reason: string }

const $state = atom<Catalog>({ state: 'waiting' })

export const $catalog = readonlyType($state)

export async function loadCatalog(): Promise<void> {
  if ($state.get().state === 'failed') $state.set({ state: 'waiting' })
  try {
    $state.set({ state: 'ready', products: checkProducts(await api('GET /products')).map(toCardProduct) })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    $state.set({ state: 'failed', reason: error.message })
  }
}

// The reply may come from a captive portal or a proxy instead of the server.
function checkProducts(reply: unknown): readonly Product[] {
  if (!Array.isArray(reply)) throw new ShopError('INTERNAL', { message: MESSAGES.productsInvalid })
  if (!reply.every(isProduct)) throw new ShopError('INTERNAL', { message: MESSAGES.productsInvalidShort })
  return reply
}

function isProduct(value: unknown): value is Product {
  const product = value as Partial<Product> | null
  return (
    typeof product?.id === 'string' &&
    typeof product.name === 'string' &&
    typeof product.price === 'number' &&
    typeof product.quantity?.value === 'number' &&
    Array.isArray(product.pictures)
  )
}
