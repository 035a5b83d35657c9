import { atom, readonlyType } from 'nanostores'
import {
  priceConflictText,
  priceSetText,
  productHiddenText,
  productShownText,
  stockConflictText,
  stockSetText
} from '../../admin/messages.ts'
import { api, apiFile } from '../../api.ts'
import type {
  AdminProduct,
  ImportReport,
  ImportRequest,
  ProductChange,
  ProductDraft,
  ProductRemoval
} from '../../contract/catalog.ts'
import { formatRupees } from '../../money.ts'
import { ShopError } from '../../shop-error.ts'
import { offerUndo } from './undo.ts'

export type Products =
  { state: 'loading' } | { state: 'failed'; reason: string } | { state: 'ready'; products: readonly AdminProduct[] }

const $state = atom<Products>({ state: 'loading' })

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

export async function readProduct(id: string): Promise<AdminProduct> {
  return storeProduct(await api('GET /admin/products/{id}', { params: { id } }))
}

export async function createProduct(draft: ProductDraft): Promise<AdminProduct> {
  return storeProduct(await api('POST /admin/products', { body: draft }))
}

export async function changeProduct(id: string, change: ProductChange): Promise<AdminProduct> {
  return storeProduct(await api('PATCH /admin/products/{id}', { params: { id }, body: change }))
}

/** Returns 'hidden' if the server has only hidden the product, because orders or deals use it. */
export async function deleteProduct({ id, version }: AdminProduct): Promise<ProductRemoval['outcome']> {
  const call = api('DELETE /admin/products/{id}', { params: { id }, query: { version: String(version) } })
  const { outcome } = await call.catch((error: unknown): ProductRemoval => {
    // The product is already deleted: by someone else, or by an earlier request without a response.
    if (error instanceof ShopError && error.code === 'PRODUCT_NOT_FOUND') return { outcome: 'deleted' }
    throw error
  })
  if (outcome === 'hidden') await readProduct(id)
  else removeProduct(id)
  return outcome
}

export async function setPrice(product: AdminProduct, price: number): Promise<void> {
  const saved = await changeProduct(product.id, { version: product.version, price }).catch(async (error: unknown) => {
    const current = await reloadAfterConflict(product, error)
    if (current.price !== product.price) throw toConflictError(error, priceConflictText(formatRupees(current.price)))
    // Somebody has changed other fields, but not the price. Therefore the new price can be saved.
    return changeProduct(product.id, { version: current.version, price })
  })
  offerUndo({
    text: priceSetText(saved.name, formatRupees(saved.price)),
    undo: async () => void (await changeProduct(saved.id, { version: saved.version, price: product.price }))
  })
}

export async function setStock(product: AdminProduct, stock: number): Promise<void> {
  const { id, version } = product
  const saved = await changeProduct(id, { version, stock: { from: product.stock, to: stock } }).catch(
    async (error: unknown) => {
      const current = await reloadAfterConflict(product, error)
      throw toConflictError(error, stockConflictText(current.stock))
    }
  )
  offerUndo({
    text: stockSetText(saved.name, saved.stock),
    undo: async () => void (await changeProduct(id, { version, stock: { from: stock, to: product.stock } }))
  })
}

export async function setHidden({ id, version, name }: AdminProduct, hidden: boolean): Promise<void> {
  const saved = await changeProduct(id, { version, hidden })
  offerUndo({
    text: hidden ? productHiddenText(name) : productShownText(name),
    undo: async () => void (await changeProduct(id, { version: saved.version, hidden: !hidden }))
  })
}

export async function importProducts(request: ImportRequest): Promise<ImportReport> {
  const report = await api('POST /admin/products/import', { body: request })
  if (report.isDone) await loadProducts()
  return report
}

export function exportProducts(): Promise<Blob> {
  return apiFile('GET /admin/products/export')
}

function storeProduct(product: AdminProduct): AdminProduct {
  const current = $state.get()
  if (current.state === 'ready') {
    const others = current.products.filter(({ id }) => id !== product.id)
    const products = [...others, product].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    $state.set({ state: 'ready', products })
  }
  return product
}

function removeProduct(removed: string): void {
  const current = $state.get()
  if (current.state === 'ready')
    $state.set({ state: 'ready', products: current.products.filter(({ id }) => id !== removed) })
}

async function reloadAfterConflict({ id }: AdminProduct, error: unknown): Promise<AdminProduct> {
  if (error instanceof ShopError && error.code === 'EDIT_CONFLICT') return readProduct(id)
  throw error
}

function toConflictError(cause: unknown, message: string): ShopError {
  return new ShopError('EDIT_CONFLICT', { status: 409, message, cause })
}
