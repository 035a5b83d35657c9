import { readDraft, saveDraft } from '#lib/browser.ts'
import { setupText } from '#lib/admin/setup.ts'
import { configureApi } from '#lib/api.ts'
// Gives `api()` the session's token.
import '#lib/stores/session.ts'
import { $setup, loadSetup } from '#lib/stores/setup.ts'

// The page's own script checks the session at the same time and has the toasts.
configureApi({ onUnauthorized: () => undefined })

/** `<setup-bar>`: tells the owner how much of the set-up is done. `shop.ts` loads it for owners only. */
class SetupBar extends HTMLElement {
  connectedCallback(): void {
    // Shown at once on the next page too, so that nothing moves there.
    this.#show(String(readDraft<{ text: string }>('setup')?.text ?? ''))
    $setup.subscribe(setup => {
      if (!setup) return
      const text = setupText(setup.rows)
      saveDraft('setup', { text })
      this.#show(text)
    })
    void loadSetup()
  }

  #show(text: string): void {
    this.hidden = text === ''
    const link = this.querySelector('a')
    if (link) link.textContent = text
  }
}

customElements.define('setup-bar', SetupBar)
