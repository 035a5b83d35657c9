import { api } from '#lib/api.ts'
import { setText } from '#lib/browser.ts'
import { toCartProduct } from '#lib/cart/line.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { t } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { toImageAttributes } from '#lib/images.ts'
import { DIETARY_LABELS, MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { formatPack, formatUnitPrice, toStockLevel } from '#lib/product.ts'
import { updateLiveProducts } from '#lib/stores/catalog.ts'
import './add-to-cart.ts'
import { showWaiting } from './still-waiting.ts'

class LiveProduct extends HTMLElement {
  connectedCallback() {
    const id = productIdOf(location.pathname)
    if (id !== undefined) void this.#load(id)
  }

  async #load(id: string) {
    const waiting = this.#show('waiting').querySelector('[data-status]')
    const stop = waiting && showWaiting(waiting)
    try {
      this.#showProduct(await api('GET /products/{id}', { params: { id } }))
    } catch (error) {
      // An invalid reply makes #showProduct throw another error.
      const missing = error instanceof ShopError && error.replyStatus === 404
      const reason = missing ? MESSAGES.productNotFound : t('Failed to load product details')
      const page = this.#show('failed')
      setText(page, '[data-field="reason"]', reason)
      document.title = reason
    } finally {
      stop?.()
    }
  }

  #showProduct(product: Product) {
    const { _id: id, price, stock: left, quantity: packSize } = product
    const cartProduct = toCartProduct({ ...product, picture: product.pictures[0], packSize })
    const page = this.#show('found', copy => {
      copy.querySelector('add-to-cart')?.setAttribute('data-product', JSON.stringify(cartProduct))
    })
    const stock = toStockLevel(left)
    updateLiveProducts([{ id, price, stock, left }])
    const texts = {
      name: product.name,
      tamil: product.nameTamil,
      price: formatRupees(price),
      pack: `· ${formatPack(product.quantity)}`,
      'unit-price': formatUnitPrice(price, product.quantity) ?? '',
      stock: {
        in: product.cookedToOrder ? MESSAGES.cookedToOrder : MESSAGES.inStock,
        low: MESSAGES.fewLeft,
        out: MESSAGES.outOfStock
      }[stock],
      'sold-out': stock === 'out' ? MESSAGES.outOfStock : '',
      description: product.description,
      ingredients: product.ingredients.join(', '),
      quantity: formatPack(product.quantity),
      'shelf-life': product.shelfLife,
      allergens: product.allergens ?? '',
      dietary: DIETARY_LABELS[product.dietary]
    }
    for (const [field, text] of Object.entries(texts))
      setText(page, `[data-field="${field}"]`, text)
    const image = toImageAttributes({ ...product, picture: product.pictures[0] })
    Object.assign(page.querySelector('img') ?? {}, image)
    document.title = product.name
  }

  #show(state: 'waiting' | 'found' | 'failed', prepare?: (copy: DocumentFragment) => void) {
    const [shown, template] = ['[data-shown]', `template[data-${state}]`].map(selector =>
      this.querySelector(selector)
    )
    const copy = (template as HTMLTemplateElement).content.cloneNode(true) as DocumentFragment
    prepare?.(copy)
    shown?.replaceChildren(copy)
    return shown as HTMLElement
  }
}

function productIdOf(path: string) {
  const id = /^\/products\/([^/]+)$/.exec(path)?.[1]
  try {
    return id === undefined ? undefined : decodeURIComponent(id)
  } catch {
    return undefined
  }
}

customElements.define('live-product', LiveProduct)
