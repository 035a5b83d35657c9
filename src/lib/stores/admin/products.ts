import { atom, readonlyType } from 'nanostores'
import {
  priceConflict,
  priceSet,
  productHidden,
  productShown,
  stockConflict,
  stockSet
} from '../../admin/messages.ts'
import { api, apiFile } from '../../api.ts'
import type {
  AdminProduct,
  ImportReport,
  ImportRequest,
  ProductChange,
  ProductDraft,
  ProductRemoval
} from '../../contract/admin/products.ts'
import { formatRupees } from '../../money.ts'
import { ShopError } from '../../shop-error.ts'
import { offerUndo } from './undo.ts'

export type Products =
  { state: 'loading' } | { state: 'failed'; reason: string } | { state: 'ready'; products: readonly AdminProduct[] }

const $state = atom<Products>({ state: 'loading' })

/** Every product, hidden ones too, once `loadProducts` has brought them. */
export const $products = readonlyType($state)

export async function loadProducts(): Promise<void> {
  if ($state.get().state === 'failed') $state.set({ state: 'loading' })
  try {
    $state.set({ state: 'ready', products: await api('GET /admin/products') })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    $state.set({ state: 'failed', reason: error.message })
  }
}

/** The product as the shop has it now. Throws ShopError. */
export async function readProduct(id: string): Promise<AdminProduct> {
  return storeProduct(await api('GET /admin/products/{id}', { params: { id } }))
}

/** Throws ShopError. */
export async function createProduct(draft: ProductDraft): Promise<AdminProduct> {
  return storeProduct(await api('POST /admin/products', { body: draft }))
}

/** Throws ShopError. */
export async function changeProduct(id: string, change: ProductChange): Promise<AdminProduct> {
  return storeProduct(await api('PATCH /admin/products/{id}', { params: { id }, body: change }))
}

/** Deletes a product, or hides one that orders or deals speak of. Throws ShopError. */
export async function deleteProduct({ id, version }: AdminProduct): Promise<ProductRemoval['outcome']> {
  const call = api('DELETE /admin/products/{id}', { params: { id }, query: { version: String(version) } })
  const { outcome } = await call.catch((error: unknown): ProductRemoval => {
    // Of two who delete the same, or of one whose first answer was lost, the second finds nothing.
    if (error instanceof ShopError && error.code === 'PRODUCT_NOT_FOUND') return { outcome: 'deleted' }
    throw error
  })
  if (outcome === 'hidden') await readProduct(id)
  else dropProduct(id)
  return outcome
}

/** Changes the price and offers to take it back. Throws ShopError; then the list has what the shop has. */
export async function setPrice(product: AdminProduct, price: number): Promise<void> {
  const saved = await changeProduct(product.id, { version: product.version, price }).catch(async (error: unknown) => {
    const now = await reloadAfterConflict(product, error)
    if (now.price !== product.price) throw conflict(error, priceConflict(formatRupees(now.price)))
    // Somebody has changed something else.
    return changeProduct(product.id, { version: now.version, price })
  })
  offerUndo({
    text: priceSet(saved.name, formatRupees(saved.price)),
    undo: async () => void (await changeProduct(saved.id, { version: saved.version, price: product.price }))
  })
}

/** Changes the stock and offers to take it back. Throws ShopError; then the list has what the shop has. */
export async function setStock(product: AdminProduct, stock: number): Promise<void> {
  const { id, version } = product
  const saved = await changeProduct(id, { version, stock: { from: product.stock, to: stock } }).catch(
    async (error: unknown) => {
      const now = await reloadAfterConflict(product, error)
      throw conflict(error, stockConflict(now.stock))
    }
  )
  offerUndo({
    text: stockSet(saved.name, saved.stock),
    undo: async () => void (await changeProduct(id, { version, stock: { from: stock, to: product.stock } }))
  })
}

/** Hides a product or shows it again, and offers to take it back. Throws ShopError. */
export async function setHidden({ id, version, name }: AdminProduct, hidden: boolean): Promise<void> {
  const saved = await changeProduct(id, { version, hidden })
  offerUndo({
    text: hidden ? productHidden(name) : productShown(name),
    undo: async () => void (await changeProduct(id, { version: saved.version, hidden: !hidden }))
  })
}

/** What a table would change; with the basis of that look it is done. Throws ShopError. */
export async function importProducts(request: ImportRequest): Promise<ImportReport> {
  const report = await api('POST /admin/products/import', { body: request })
  if (report.isDone) await loadProducts()
  return report
}

/** Throws ShopError. */
export function exportProducts(): Promise<Blob> {
  return apiFile('GET /admin/products/export')
}

function storeProduct(product: AdminProduct): AdminProduct {
  const known = $state.get()
  if (known.state === 'ready') {
    const others = known.products.filter(({ id }) => id !== product.id)
    const products = [...others, product].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    $state.set({ state: 'ready', products })
  }
  return product
}

function dropProduct(removed: string): void {
  const known = $state.get()
  if (known.state === 'ready')
    $state.set({ state: 'ready', products: known.products.filter(({ id }) => id !== removed) })
}

/** The product as it is after somebody else was faster; any other failure is thrown on. */
async function reloadAfterConflict({ id }: AdminProduct, error: unknown): Promise<AdminProduct> {
  if (error instanceof ShopError && error.code === 'EDIT_CONFLICT') return readProduct(id)
  throw error
}

function conflict(cause: unknown, message: string): ShopError {
  return new ShopError('EDIT_CONFLICT', { status: 409, message, cause })
}
