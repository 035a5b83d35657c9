import { atom, readonlyType } from 'nanostores'
import { productHiddenText } from '../../admin/messages.ts'
import { api } from '../../api.ts'
import { IMPORT_LIMITS } from '../../constants.ts'
import { ADMIN_TEXTS } from '../../contract/admin-texts.ts'
import type {
  AdminProduct,
  ImportReport,
  ImportRequest,
  KitchenProduct,
  ProductRemoval
} from '../../contract/catalog.ts'
import { ShopError } from '../../errors.ts'
import { formatRupees } from '../../money.ts'
import { formatPack, formatStock, toLimit } from '../../product.ts'
import { t } from '../../contract/texts.ts'
import { createTurns, loadInto, updateLoaded, type LoadState } from '../load-state.ts'
import { offerUndo, orReload } from './notices.ts'
import { RecordStore } from './records.ts'

const records = new RecordStore('products', 'PRODUCT_NOT_FOUND', (a, b) =>
  a.name.localeCompare(b.name, 'en')
)

export const $products = records.$list
export const {
  load: loadProducts,
  read: readProduct,
  create: createProduct,
  change: changeProduct
} = records

/** 'hidden' if orders or deals use it. */
export async function deleteProduct(product: AdminProduct): Promise<ProductRemoval['outcome']> {
  const { outcome = 'deleted' } = (await records.remove<ProductRemoval>(product)) ?? {}
  if (outcome === 'hidden') await readProduct(product.id)
  return outcome
}

export function setPrice(product: AdminProduct, price: number): Promise<void> {
  const { name, price: before } = product
  const text = `${name}: ${formatRupees(price)}`
  return records.changeField(product, { price }, { price: before }, text, current => {
    if (current.price === before) return
    const message = t('The price has changed to {price}. Please check it again.', {
      price: formatRupees(current.price)
    })
    throw new ShopError('EDIT_CONFLICT', { message })
  })
}

/** Apart from other changes, whose replies have a stock that the user may not have seen. */
const stockInTurn = createTurns()

/** Null: cooked to order, without limit. */
type SaveStock<Product> = (latest: Product, to: number | null) => Promise<Product>

async function changeStock<Product extends KitchenProduct | AdminProduct>(
  product: Product,
  to: number | null,
  save: SaveStock<Product>
) {
  const { id } = product
  const { saved } = await stockInTurn(id, product, latest => save(latest, to))
  offerUndo({
    text: `${saved.name}: ${formatStock(saved)}`,
    undo: () => stockInTurn(id, saved, latest => save(latest, toLimit(product)))
  })
}

export function setStock(product: AdminProduct, limit: number | null): Promise<void> {
  return changeStock(product, limit, ({ id, version, stock: from }, to) =>
    // The refusal names the current stock.
    orReload(changeProduct(id, { version, stock: { from, to } }), () => readProduct(id))
  )
}

export function setHidden(product: AdminProduct, hidden: boolean): Promise<void> {
  const { name } = product
  const text = hidden ? productHiddenText(name) : t('{name} is in the shop', { name })
  return records.changeField(product, { hidden }, { hidden: !hidden }, text)
}

export function orderSizes(id: string, ids: readonly string[]): Promise<void> {
  const place = (size: AdminProduct): AdminProduct => {
    const position = ids.indexOf(size.id)
    return size.family && position >= 0 ? { ...size, family: { ...size.family, position } } : size
  }
  return records.arrange(
    list => list.map(place),
    () => api('PUT /admin/products/{id}/sizes', { params: { id }, body: { ids: [...ids] } })
  )
}

export function takeOutOfFamily(product: AdminProduct): Promise<void> {
  const { family = null, name, quantity } = product
  const text = t('{name}, {pack}, is a product of its own', { name, pack: formatPack(quantity) })
  return records.changeField(product, { family: null }, { family }, text)
}

export async function importProducts(request: ImportRequest): Promise<ImportReport> {
  if (request.csv.length > IMPORT_LIMITS.characters)
    throw new ShopError('INVALID_INPUT', { message: ADMIN_TEXTS.importTooLong })
  const report = await api('POST /admin/products/import', { body: request })
  if (report.isDone) await loadProducts()
  return report
}

/** Text that is neither UTF-16 nor UTF-8 is Windows-1252, or from a Mac if it has its line ends. */
export function decodeTable(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if ((first === 0xff && second === 0xfe) || second === 0)
    return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const isMac = bytes.includes(0x0d) && !bytes.includes(0x0a)
    return new TextDecoder(isMac ? 'macintosh' : 'windows-1252').decode(bytes)
  }
}

const $withoutPrices = atom<LoadState<readonly KitchenProduct[]>>({ state: 'loading' })

export const $kitchenProducts = readonlyType($withoutPrices)

export function loadKitchenProducts(): Promise<void> {
  return loadInto($withoutPrices, () => api('GET /admin/kitchen/products'))
}

export function setKitchenStock(product: KitchenProduct, limit: number | null): Promise<void> {
  return changeStock(product, limit, async ({ id, stock: from }, to) => {
    const request = { params: { id }, body: { from, to } }
    const call = api('POST /admin/kitchen/products/{id}/stock', request)
    const saved = await orReload(call, loadKitchenProducts)
    updateLoaded($withoutPrices, products =>
      products.map(other => (other.id === id ? saved : other))
    )
    return saved
  })
}
