/**
 * `<side-menu>` around a link to the same addresses further down the page, and a dialog that opens in its place with
 * copies of the links in the header's `data-menu`.
 */
class SideMenu extends HTMLElement {
  connectedCallback(): void {
    const link = this.querySelector<HTMLElement>('a[aria-haspopup]')
    const dialog = this.querySelector('dialog')
    if (!link || !dialog) return
    const open = (event: Event): void => {
      event.preventDefault()
      dialog.querySelector('[data-copies]')?.replaceChildren(...copies())
      dialog.showModal()
    }
    link.role = 'button'
    link.addEventListener('click', open)
    link.addEventListener('keydown', event => {
      if (event.key === ' ') open(event)
    })
    dialog.addEventListener('click', ({ target }) => {
      // A tap outside the panel lands on the dialog itself; one on a link leaves the page, or stays for its fragment.
      if (target === dialog || (target as Element).closest('a, [data-close]')) dialog.close()
    })
  }
}

function copies(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-menu] a')].map(link => {
    const copy = link.cloneNode(true) as HTMLElement
    copy.className = 'menu-link'
    return copy
  })
}

customElements.define('side-menu', SideMenu)
