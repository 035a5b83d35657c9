import { $user } from '#lib/stores/stored-session.ts'
import sessionFile from './session.ts?late'

/**
 * `<account-menu>` around what a visitor sees (`data-guest`) and, hidden, what a shopper does (`data-member`) with a place
 * for the links of the account (`data-links`). Who is logged in gets the session's script with it.
 */
class AccountMenu extends HTMLElement {
  connectedCallback(): void {
    const [guest, member, links] = ['guest', 'member', 'links'].map(part =>
      this.querySelector<HTMLElement>(`[data-${part}]`)
    )
    const template = document.querySelector<HTMLTemplateElement>('#account-links')
    if (!guest || !member || !links || !template) return
    links.addEventListener('click', ({ target }) => {
      if (links.popover && (target as Element).closest('a, [data-close]')) links.hidePopover()
    })
    $user.subscribe(user => {
      const leaving = member.contains(document.activeElement)
      guest.hidden = user !== undefined
      member.hidden = user === undefined
      if (!user) return leaving && guest.focus()
      if (!links.firstElementChild) links.append(template.content.cloneNode(true))
      for (const part of ['name', 'email'] as const)
        for (const place of this.querySelectorAll(`[data-${part}]`)) place.textContent = user[part]
      links.querySelector('[data-admin]')?.toggleAttribute('hidden', user.role !== 'admin')
      void import(/* @vite-ignore */ sessionFile)
    })
  }
}

customElements.define('account-menu', AccountMenu)
