import { api } from '#lib/api.ts'
import { MESSAGES } from '#lib/messages.ts'

/** Asks the server, because a prebuilt page could be older than the shop's settings. */
class ShopStatus extends HTMLElement {
  connectedCallback(): void {
    // Without a reply, other parts of the page report that the server can't be reached.
    void api('GET /status').then(
      ({ testMode, mailNotSetUp }) => {
        if (testMode) this.#add(MESSAGES.testMode)
        if (mailNotSetUp) this.#add(MESSAGES.mailNotSetUp)
      },
      () => undefined
    )
  }

  #add(text: string): void {
    const line = document.createElement('p')
    line.textContent = text
    this.append(line)
    // Other bars at the bottom of the screen are placed above this one.
    document.documentElement.style.setProperty('--shop-status', `${this.offsetHeight}px`)
  }
}

customElements.define('shop-status', ShopStatus)
