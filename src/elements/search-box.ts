import { isLowestPrice, type CardProduct } from '#lib/catalog/cards.ts'
import { toOneLine } from '#lib/contract/formats.ts'
import { langOf, plural, t } from '#lib/contract/texts.ts'
import { toImageAttributes } from '#lib/images.ts'
import { loadSuggest, type Suggest, type SuggestedLink } from '#lib/search/suggest.ts'
import { MESSAGES, sizesText } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { saveFound } from '#lib/stores/storage.ts'
import styles from './search-box.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(styles)
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]

/** A combobox with a list (WAI-ARIA APG). Without it, the form leads to the product list. */
class SearchBox extends HTMLElement {
  #list = createElement('div', {
    id: 'suggestions',
    role: 'listbox',
    'aria-label': t('Suggestions')
  })
  #status = createElement('p', { role: 'status', class: 'sr-only' })
  #suggest: Suggest | undefined
  #isLoading = false
  #active = -1

  get #field(): HTMLInputElement {
    return this.querySelector('input') as HTMLInputElement
  }

  connectedCallback() {
    const field = this.#field
    setAttributes(field, {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-controls': this.#list.id
    })
    this.append(this.#list, this.#status)
    this.#hide()
    field.addEventListener('input', () => this.#show())
    field.addEventListener('click', () => this.#show())
    field.addEventListener('focus', () => void this.#load())
    field.addEventListener('keydown', event => this.#onKey(event))
    // The field keeps the focus, and a phone keeps its keyboard.
    this.#list.addEventListener('mousedown', event => event.preventDefault())
    this.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget && !this.contains(relatedTarget as Node)) this.#close()
    })
    this.addEventListener('toggle', event => {
      if ((event as ToggleEvent).newState === 'closed') this.#hide()
    })
    document.addEventListener('pointerdown', ({ target }) => {
      if (!this.contains(target as Node)) this.#hide()
    })
    void this.#load()
  }

  async #load() {
    if (this.#suggest || this.#isLoading) return
    this.#isLoading = true
    this.#suggest = await loadSuggest().catch(() => undefined)
    this.#isLoading = false
    if (document.activeElement === this.#field) this.#show()
  }

  #show() {
    const q = toOneLine(this.#field.value)
    const found = q === '' ? undefined : this.#suggest?.(q)
    if (!found) return this.#hide()
    const { links, products, ids, spelling } = found
    saveFound(toSearchQuery(q), ids)
    const options = [...links.map(createLink), ...products.map(createProduct)]
    const count = ids.length
    if (count > 0)
      options.push(createSearchLink(t('All results for “{q}” ({count})', { q, count }), q))
    if (spelling)
      options.push(createSearchLink(t('Did you mean “{word}”?', { word: spelling }), spelling))
    if (options.length === 0) options.push(createSearchLink(t('Nothing found for “{q}”', { q }), q))
    for (const [index, option] of options.entries()) option.id = `suggestion-${index}`
    this.#list.replaceChildren(...options)
    this.#list.hidden = false
    this.#list.scrollTop = 0
    // A phone's keyboard covers a part of the window.
    this.#list.style.setProperty('--screen', `${window.visualViewport?.height ?? innerHeight}px`)
    this.#field.setAttribute('aria-expanded', 'true')
    this.#status.textContent = toCountText(links.length + products.length)
    this.#activate(-1)
  }

  #hide() {
    this.#list.hidden = true
    this.#field.setAttribute('aria-expanded', 'false')
    this.#status.textContent = ''
    this.#activate(-1)
  }

  #close() {
    this.#hide()
    if (this.matches(':popover-open')) this.hidePopover()
  }

  #activate(index: number) {
    this.#active = index
    for (const [position, option] of this.#options().entries())
      option.setAttribute('aria-selected', String(position === index))
    const option = this.#options()[index]
    if (option) this.#field.setAttribute('aria-activedescendant', option.id)
    else this.#field.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }

  #options() {
    return [...this.#list.children] as HTMLElement[]
  }

  #onKey(event: KeyboardEvent) {
    // Input methods, for example for Tamil, use these keys too.
    if (event.isComposing) return
    const isOpen = !this.#list.hidden
    const { length } = this.#options()
    if (event.key === 'Escape') {
      if (isOpen) this.#hide()
      else if (this.matches(':popover-open')) this.hidePopover()
      else return
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!isOpen) this.#show()
      if (this.#list.hidden) return
      const step = event.key === 'ArrowDown' ? 1 : -1
      // Beyond both ends is the field itself, with no option active.
      this.#activate(((this.#active + 1 + step + length + 1) % (length + 1)) - 1)
    } else if (isOpen && this.#active >= 0 && event.key === 'Home') this.#activate(0)
    else if (isOpen && this.#active >= 0 && event.key === 'End') this.#activate(length - 1)
    else if (isOpen && this.#active >= 0 && event.key === 'Enter')
      this.#options()[this.#active]?.click()
    else return
    event.preventDefault()
  }
}

customElements.define('search-box', SearchBox)

function toCountText(count: number) {
  return count === 0
    ? t('No suggestions')
    : plural(count, '{count} suggestion', '{count} suggestions')
}

function createLink({ kind, name, path }: SuggestedLink) {
  return createOption(path, createElement('b', {}, name), createElement('small', {}, t(kind)))
}

function createSearchLink(text: string, q: string) {
  return createOption(paths.products + toSearchQuery(q), createElement('u', {}, text))
}

function toSearchQuery(q: string) {
  return `?${new URLSearchParams({ q })}`
}

function createProduct(product: CardProduct) {
  const { id, name, nameTamil, price, listPrice, quantity, sizes, stock } = product
  const isLowest = isLowestPrice(product)
  const lang = langOf(nameTamil)
  const names = [
    createElement('b', {}, name),
    ' ',
    createElement('small', { ...(lang && { lang }) }, nameTamil)
  ]
  const from = isLowest ? `${t('from||price')} ` : ''
  const amount = createElement('b', {}, from + formatRupees(price))
  const usualPrice =
    listPrice === undefined
      ? []
      : [
          createElement('span', { class: 'sr-only' }, MESSAGES.insteadOf),
          createElement('s', {}, formatRupees(listPrice))
        ]
  const pack = sizes && isLowest ? sizesText(sizes.length) : formatPack(quantity)
  const note = createElement('small', {}, stock === 'out' ? MESSAGES.outOfStock : pack)
  return createOption(
    paths.product(id),
    createPicture(product),
    createElement('span', {}, ...names),
    createElement('span', { class: 'facts' }, amount, ...usualPrice, ' ', note)
  )
}

function createPicture({ picture, image }: CardProduct) {
  const size = { alt: '', width: '56', height: '56' }
  const source = toImageAttributes({ picture, image }, 240)
  const style = picture ? `background-color: ${picture.color}` : ''
  return createElement('img', { ...size, ...source, style, sizes: '56px' })
}

function createOption(path: string, ...content: HTMLElement[]) {
  return createElement(
    'a',
    { href: path, role: 'option', tabindex: '-1' },
    ...content.flatMap(part => [part, ' '])
  )
}

function createElement(
  name: string,
  attributes: Record<string, string>,
  ...content: (Node | string)[]
) {
  const element = document.createElement(name)
  setAttributes(element, attributes)
  element.append(...content)
  return element
}

function setAttributes(element: Element, attributes: Record<string, string>) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}
