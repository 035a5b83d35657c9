/** `<side-menu>`: its link opens a dialog with copies of the header's links. */
class SideMenu extends HTMLElement {
  connectedCallback(): void {
    const link = this.querySelector<HTMLElement>('a[aria-haspopup]')
    const dialog = this.querySelector('dialog')
    if (!link || !dialog) return
    const open = (event: Event): void => {
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

function copyMenuLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-menu] a')].map(link => {
    const copy = link.cloneNode(true) as HTMLElement
    copy.className = 'menu-link'
    return copy
  })
}

customElements.define('side-menu', SideMenu)
