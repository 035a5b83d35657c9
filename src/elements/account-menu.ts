import { $user } from '#lib/stores/stored-session.ts'
import sessionFile from './session.ts?late'

/**
 * `<account-menu>`: shows `[data-guest]` to guests, and `[data-member]` with copies of `#account-links` after login.
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
      const hadFocus = member.contains(document.activeElement)
      guest.hidden = user !== undefined
      member.hidden = user === undefined
      if (!user) return hadFocus && guest.focus()
      if (!links.firstElementChild) links.append(template.content.cloneNode(true))
      for (const part of ['name', 'email'] as const)
        for (const target of this.querySelectorAll(`[data-${part}]`)) target.textContent = user[part]
      links.querySelector('[data-admin]')?.toggleAttribute('hidden', user.role !== 'admin')
      void import(/* @vite-ignore */ sessionFile)
    })
  }
}

customElements.define('account-menu', AccountMenu)
