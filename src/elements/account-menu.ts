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
    links.addEventListener('click', () => links.popover && links.hidePopover())
    $user.subscribe(user => {
      const leaving = member.contains(document.activeElement)
      guest.hidden = user !== undefined
      member.hidden = user === undefined
      if (!user) return leaving && guest.focus()
      links.replaceChildren(template.content.cloneNode(true))
      for (const part of ['name', 'email'] as const)
        for (const place of this.querySelectorAll(`[data-${part}]`)) place.textContent = user[part]
      if (user.role !== 'admin') links.querySelector('[data-admin]')?.remove()
      void import(/* @vite-ignore */ sessionFile)
    })
  }
}

customElements.define('account-menu', AccountMenu)
