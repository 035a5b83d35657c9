/** `<map-on-tap data-src="…">`: loads the map only after a tap, to protect the visitor's privacy. */
class MapOnTap extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector('button')
    button?.addEventListener('click', () => {
      const frame = document.createElement('iframe')
      frame.src = this.dataset['src'] ?? ''
      frame.title = button.dataset['title'] ?? ''
      frame.tabIndex = 0
      button.replaceWith(frame)
      frame.focus()
    })
  }
}

customElements.define('map-on-tap', MapOnTap)
