import { api, apiBase } from '#lib/api.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/shop-error.ts'
import { imageUrl, pictureSources } from '#lib/images.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { formatPack, unitPrice } from '#lib/pack.ts'
import { stockWord } from '#lib/stock.ts'
import { cartProduct } from '#lib/stores/cart-line.ts'
import { learn } from '#lib/stores/live.ts'

/**
 * `<live-product>` on the not-found page: at the address of a product that was added since the last publish it shows
 * the product as the API has it. Its templates are `data-waiting`, `data-found` and `data-failed`.
 */
class LiveProduct extends HTMLElement {
  connectedCallback(): void {
    const id = productIdOf(location.pathname)
    if (id !== undefined) void this.#load(id)
  }

  async #load(id: string): Promise<void> {
    this.#show('waiting')
    try {
      this.#showProduct(await api('GET /products/{id}', { params: { id } }))
    } catch (error) {
      // An answer that is no product fails while it is drawn.
      const missing = error instanceof ShopError && error.status === 404
      const reason = missing ? MESSAGES.productNotFound : MESSAGES.productFailed
      const page = this.#show('failed')
      write(page, 'reason', reason)
      document.title = reason
    }
  }

  #showProduct(product: Product): void {
    const page = this.#show('found', copy => {
      copy.querySelector('add-to-cart')?.setAttribute('data-product', JSON.stringify(cartProduct(product)))
    })
    const { _id: id, price, stock: left } = product
    const stock = stockWord(left)
    learn({ id, price, stock, left })
    write(page, 'name', product.name)
    write(page, 'tamil', product.nameTamil)
    write(page, 'price', formatRupees(price))
    write(page, 'pack', `· ${formatPack(product.quantity)}`)
    write(page, 'unit-price', unitPrice(price, product.quantity) ?? '')
    write(page, 'stock', { in: MESSAGES.inStock, low: MESSAGES.fewLeft, out: MESSAGES.outOfStock }[stock])
    write(page, 'sold-out', stock === 'out' ? MESSAGES.outOfStock : '')
    write(page, 'description', product.description)
    write(page, 'ingredients', product.ingredients.join(', '))
    write(page, 'quantity', formatPack(product.quantity))
    write(page, 'shelf-life', product.shelfLife)
    write(page, 'dietary', product.dietary === 'vegan' ? 'Vegan' : 'Vegetarian')
    drawPicture(page.querySelector('picture'), product)
    document.title = product.name
  }

  #show(state: 'waiting' | 'found' | 'failed', prepare?: (copy: DocumentFragment) => void): HTMLElement {
    const [shown, template] = ['[data-shown]', `template[data-${state}]`].map(selector => this.querySelector(selector))
    const copy = (template as HTMLTemplateElement).content.cloneNode(true) as DocumentFragment
    prepare?.(copy)
    shown?.replaceChildren(copy)
    return shown as HTMLElement
  }
}

function productIdOf(path: string): string | undefined {
  const id = /^\/products\/([^/]+)$/.exec(path)?.[1]
  try {
    return id === undefined ? undefined : decodeURIComponent(id)
  } catch {
    return undefined
  }
}

function write(page: HTMLElement, field: string, text: string): void {
  const place = page.querySelector(`[data-field="${field}"]`)
  if (place) place.textContent = text
}

function drawPicture(place: HTMLElement | null, { pictures: [picture], image, name }: Product): void {
  const img = place?.querySelector('img')
  if (!place || !img) return
  img.alt = picture?.alt ?? name
  if (!picture) {
    img.src = imageUrl(image, apiBase())
    return
  }
  const { sources, src } = pictureSources(picture, apiBase())
  const drawn = sources.map(({ type, srcset }) => {
    const source = document.createElement('source')
    return Object.assign(source, { type, srcset, sizes: img.sizes })
  })
  place.prepend(...drawn)
  img.src = src
}

customElements.define('live-product', LiveProduct)
