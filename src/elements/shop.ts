import { whenIdle } from '#lib/browser.ts'
import { $cart, countPacks } from '#lib/stores/cart.ts'
import { $token, $user, checkSession } from '#lib/stores/session.ts'
import { isKept } from '#lib/stores/storage.ts'
import { $toasts, dismiss, type Toast } from '#lib/stores/toasts.ts'
import './keep-focus.ts'
import offlineBarFile from './offline-bar.ts?worker&url'
import searchBoxFile from './search-box.ts?worker&url'
import setupBarFile from './setup-bar.ts?worker&url'

void checkSession()

const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
if (workers && import.meta.env.PROD && import.meta.env.SERVICE_WORKER !== 'off')
  whenIdle(() => {
    void workers.register('/sw.js').catch(() => undefined)
    // The worker keeps this page, too.
    if (!workers.controller) void workers.ready.then(({ active }) => active?.postMessage(''))
  })

const addOfflineBar = () => void import(/* @vite-ignore */ offlineBarFile).catch(() => undefined)
addEventListener('offline', addOfflineBar)
// The worker also shows `/offline` if the device has a network but the shop does not answer.
if (!navigator.onLine || document.querySelector('[data-offline]')) addOfflineBar()

const loadCartSync = () => import('#lib/stores/cart-sync.ts')

// Only after login: the cart of guests stays in the browser.
const stop = $token.subscribe(token => {
  if (token === undefined) return
  // Later, because `stop` does not exist yet during the first call.
  queueMicrotask(() => stop())
  void loadCartSync().then(({ startCartSync }) => startCartSync())
})

document.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('[data-logout]'))
    void loadCartSync().then(({ logOut }) => logOut())
})

class AccountMenu extends HTMLElement {
  connectedCallback() {
    const [guest, member, links] = ['guest', 'member', 'links'].map(part =>
      this.querySelector<HTMLElement>(`[data-${part}]`)
    )
    const template = document.querySelector<HTMLTemplateElement>('#account-links')
    if (!guest || !member || !links || !template) return
    links.addEventListener('click', ({ target }) => {
      if (links.popover && (target as Element).closest('a, [data-close]')) links.hidePopover()
    })
    $user.subscribe(user => {
      const hadFocus = member.contains(document.activeElement)
      guest.hidden = user !== undefined
      member.hidden = user === undefined
      if (!user) return hadFocus && guest.focus()
      if (!links.firstElementChild) links.append(template.content.cloneNode(true))
      for (const part of ['name', 'email'] as const)
        for (const target of this.querySelectorAll(`[data-${part}]`))
          target.textContent = user[part]
      links.querySelector('[data-admin]')?.toggleAttribute('hidden', user.role !== 'admin')
    })
  }
}

customElements.define('account-menu', AccountMenu)

$user.subscribe(user => {
  const isOwner = user?.staff === 'owner' && isKept('token')
  const bar = document.querySelector('setup-bar')
  bar?.toggleAttribute('data-owner', isOwner)
  // Another bundle, because the texts that it shares with this script would all be added to this
  // script.
  if (bar && isOwner) void import(/* @vite-ignore */ setupBarFile)
})

const searchField = document.querySelector<HTMLInputElement>('#site-search')
if (searchField) {
  // Not in the HTML, because browsers would focus the field when a page opens.
  searchField.autofocus = true
  const addSuggestions = () => void import(/* @vite-ignore */ searchBoxFile).catch(() => undefined)
  if (searchField.matches(':focus')) addSuggestions()
  else searchField.addEventListener('focus', addSuggestions)
}

class CartBadge extends HTMLElement {
  connectedCallback() {
    const count = this.querySelector('span')
    $cart.subscribe(lines => {
      const total = countPacks(lines)
      this.hidden = total === 0
      if (count) count.textContent = String(total)
    })
  }
}

customElements.define('cart-badge', CartBadge)

class ShareButton extends HTMLElement {
  connectedCallback() {
    this.addEventListener('click', () => {
      const url = document.querySelector<HTMLLinkElement>('[rel=canonical]')?.href ?? ''
      const copy = () => void import('./copy-link.ts').then(({ copyLink }) => copyLink(this, url))
      if (!('share' in navigator)) return copy()
      navigator.share({ title: document.title, url }).catch((error: Error) => {
        // The visitor has closed the window.
        if (error.name !== 'AbortError') copy()
      })
    })
  }
}

customElements.define('share-button', ShareButton)

class SideMenu extends HTMLElement {
  connectedCallback() {
    const link = this.querySelector<HTMLElement>('a[aria-haspopup]')
    const dialog = this.querySelector('dialog')
    if (!link || !dialog) return
    const open = (event: Event) => {
      event.preventDefault()
      dialog.querySelector('[data-copies]')?.replaceChildren(...copyMenuLinks())
      dialog.showModal()
    }
    link.role = 'button'
    link.addEventListener('click', open)
    link.addEventListener('keydown', event => {
      if (event.key === ' ') open(event)
    })
    dialog.addEventListener('click', ({ target }) => {
      // After a tap on the backdrop, the event's target is the dialog itself.
      if (target === dialog || (target as Element).closest('a, [data-close]')) dialog.close()
    })
  }
}

function copyMenuLinks() {
  return [...document.querySelectorAll<HTMLElement>('[data-menu] a')].map(link => {
    const copy = link.cloneNode(true) as HTMLElement
    copy.className = 'menu-link'
    return copy
  })
}

customElements.define('side-menu', SideMenu)

class ToastRegion extends HTMLElement {
  #shown = new Map<number, HTMLElement>()

  connectedCallback() {
    $toasts.subscribe(toasts => this.#show(toasts))
    document.addEventListener('keydown', ({ key }) => {
      const newest = [...this.#shown.keys()].at(-1)
      if (key === 'Escape' && newest !== undefined) dismiss(newest)
    })
  }

  // Keeps the elements of toasts that are already shown, because a screen reader would announce a
  // new element again.
  #show(toasts: readonly Toast[]) {
    for (const [id, element] of this.#shown) {
      if (toasts.some(toast => toast.id === id)) continue
      element.remove()
      this.#shown.delete(id)
    }
    for (const toast of toasts) {
      if (!this.#shown.has(toast.id)) this.#add(toast)
    }
  }

  #add({ id, title, text, link, kind, quiet }: Toast) {
    const copy = this.querySelector('template')?.content.cloneNode(true) as
      | DocumentFragment
      | undefined
    const element = copy?.querySelector<HTMLElement>('[data-kind]')
    if (!copy || !element) return
    element.dataset['kind'] = kind
    if (!quiet) element.role = kind === 'destructive' ? 'alert' : 'status'
    const [heading, body] = element.querySelectorAll('p')
    if (heading) heading.textContent = title
    if (body) body.textContent = text ?? ''
    const anchor = element.querySelector('a')
    if (anchor && link)
      Object.assign(anchor, { href: link.href, textContent: link.label, hidden: false })
    element.querySelector('button')?.addEventListener('click', () => dismiss(id))
    this.#shown.set(id, element)
    this.append(copy)
  }
}

customElements.define('toast-region', ToastRegion)
