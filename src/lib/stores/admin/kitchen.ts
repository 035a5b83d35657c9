import { atom, readonlyType } from 'nanostores'
import { stockSetText } from '../../admin/messages.ts'
import { api } from '../../api.ts'
import type { KitchenProduct } from '../../contract/catalog.ts'
import { ShopError } from '../../errors.ts'
import { loadInto, updateLoaded, type LoadState } from '../load-state.ts'
import { offerUndo } from './undo.ts'

const $state = atom<LoadState<readonly KitchenProduct[]>>({ state: 'loading' })

/** Products as the kitchen sees them: without prices. */
export const $kitchenProducts = readonlyType($state)

export function loadKitchenProducts(): Promise<void> {
  return loadInto($state, () => api('GET /admin/kitchen/products'))
}

export async function setKitchenStock({ id, name, stock: from }: KitchenProduct, to: number): Promise<void> {
  await sendStock(id, from, to)
  offerUndo({ text: stockSetText(name, to), undo: () => sendStock(id, to, from) })
}

async function sendStock(id: string, from: number, to: number): Promise<void> {
  const call = api('POST /admin/kitchen/products/{id}/stock', { params: { id }, body: { from, to } })
  const saved = await call.catch(async (error: unknown) => {
    // Shows the current stock, because somebody has sold or changed packs in the meantime.
    if (error instanceof ShopError && error.code === 'EDIT_CONFLICT') await loadKitchenProducts()
    throw error
  })
  updateLoaded($state, products => products.map(product => (product.id === id ? saved : product)))
}
