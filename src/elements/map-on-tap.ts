/** `<map-on-tap data-src="…">`: the map's host learns of the visitor only after a tap on its preview. */
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
