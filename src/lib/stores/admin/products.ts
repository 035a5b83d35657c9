import { atom, readonlyType } from 'nanostores'
import { productHiddenText, stockConflictText } from '../../admin/messages.ts'
import { api, apiFile } from '../../api.ts'
import type {
  AdminProduct,
  ImportReport,
  ImportRequest,
  KitchenProduct,
  ProductChange,
  ProductDraft,
  ProductRemoval
} from '../../contract/catalog.ts'
import { ShopError } from '../../errors.ts'
import { formatRupees } from '../../money.ts'
import { formatPack } from '../../product.ts'
import { createQueue, loadInto, updateLoaded, type LoadState } from '../load-state.ts'
import { createRecords } from './records.ts'
import { offerUndo, orReload } from './notices.ts'

const records = createRecords<AdminProduct, AdminProduct, ProductDraft, ProductChange>(
  '/admin/products',
  'PRODUCT_NOT_FOUND',
  (a, b) => a.name.localeCompare(b.name, 'en')
)

export const $products = records.$list
export const loadProducts = records.load
export const readProduct = records.read
export const createProduct = records.create
export const changeProduct = records.change

/** Returns 'hidden' if the server has only hidden the product, because orders or deals use it. */
export async function deleteProduct(product: AdminProduct): Promise<ProductRemoval['outcome']> {
  const { outcome = 'deleted' } = (await records.remove<ProductRemoval>(product)) ?? {}
  if (outcome === 'hidden') await readProduct(product.id)
  return outcome
}

export async function setPrice(product: AdminProduct, price: number): Promise<void> {
  const saved = await changeProduct(product.id, { version: product.version, price }).catch(
    async (error: unknown) => {
      const current = await reloadAfterConflict(product, error)
      if (current.price !== product.price) {
        const price = formatRupees(current.price)
        const message = `The price has changed to ${price}. Please check it again.`
        throw new ShopError('EDIT_CONFLICT', { message, cause: error })
      }
      // Somebody has changed other fields, but not the price. Therefore the new price can be saved.
      return changeProduct(product.id, { version: current.version, price })
    }
  )
  offerUndo({
    text: `${saved.name}: ${formatRupees(saved.price)}`,
    undo: () => changeProduct(saved.id, { version: saved.version, price: product.price })
  })
}

export async function setStock(product: AdminProduct, stock: number): Promise<void> {
  const { id, version } = product
  const saved = await changeProduct(id, {
    version,
    stock: { from: product.stock, to: stock }
  }).catch(async (error: unknown) => {
    const current = await reloadAfterConflict(product, error)
    throw new ShopError('EDIT_CONFLICT', {
      message: stockConflictText(current.stock),
      cause: error
    })
  })
  offerUndo({
    text: `${saved.name}: ${saved.stock} in stock`,
    undo: () => changeProduct(id, { version, stock: { from: stock, to: product.stock } })
  })
}

export async function setHidden(product: AdminProduct, hidden: boolean): Promise<void> {
  const { id, name } = product
  const saved = await changeOneField(product, { hidden })
  offerUndo({
    text: hidden ? productHiddenText(name) : `${name} is in the shop`,
    undo: () => changeProduct(id, { version: saved.version, hidden: !hidden })
  })
}

const saveInTurn = createQueue()

/** Shows the new order at once. If it can't be saved, shows the order of the server again. */
export async function orderSizes(id: string, ids: readonly string[]): Promise<void> {
  records.update(list => list.map(size => setPosition(size, ids.indexOf(size.id))))
  try {
    const save = () =>
      api('PUT /admin/products/{id}/sizes', { params: { id }, body: { ids: [...ids] } })
    for (const size of (await saveInTurn(save)) ?? []) records.store(size)
  } catch (error) {
    await loadProducts()
    throw error
  }
}

function setPosition(product: AdminProduct, position: number): AdminProduct {
  return product.family && position >= 0
    ? { ...product, family: { ...product.family, position } }
    : product
}

export async function takeOutOfFamily(product: AdminProduct): Promise<void> {
  const { id, family, name, quantity } = product
  const saved = await changeOneField(product, { family: null })
  offerUndo({
    text: `${name}, ${formatPack(quantity)}, is a product of its own`,
    undo: () => changeProduct(id, { version: saved.version, family: family ?? null })
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

/** Tries again: a change of one pack size can raise the version of all. */
async function changeOneField(
  product: AdminProduct,
  change: Omit<ProductChange, 'version'>
): Promise<AdminProduct> {
  return changeProduct(product.id, { version: product.version, ...change }).catch(
    async (error: unknown) => {
      const { version } = await reloadAfterConflict(product, error)
      return changeProduct(product.id, { version, ...change })
    }
  )
}

async function reloadAfterConflict({ id }: AdminProduct, error: unknown): Promise<AdminProduct> {
  if (error instanceof ShopError && error.code === 'EDIT_CONFLICT') return readProduct(id)
  throw error
}

/** Text that is neither UTF-16 with a byte order mark nor UTF-8 is Windows-1252. */
export function decodeTable(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const $withoutPrices = atom<LoadState<readonly KitchenProduct[]>>({ state: 'loading' })

export const $kitchenProducts = readonlyType($withoutPrices)

export function loadKitchenProducts(): Promise<void> {
  return loadInto($withoutPrices, () => api('GET /admin/kitchen/products'))
}

export async function setKitchenStock(
  { id, name, stock: from }: KitchenProduct,
  to: number
): Promise<void> {
  await sendStock(id, from, to)
  offerUndo({ text: `${name}: ${to} in stock`, undo: () => sendStock(id, to, from) })
}

async function sendStock(id: string, from: number, to: number): Promise<void> {
  const call = api('POST /admin/kitchen/products/{id}/stock', {
    params: { id },
    body: { from, to }
  })
  const saved = await orReload(call, loadKitchenProducts)
  updateLoaded($withoutPrices, products =>
    products.map(product => (product.id === id ? saved : product))
  )
}
