/** `<back-button>`: its link goes back in the history if the previous page was on this site. */
class BackButton extends HTMLElement {
  connectedCallback(): void {
    this.querySelector('a')?.addEventListener('click', event => {
      if (!document.referrer.startsWith(`${location.origin}/`) || history.length < 2) return
      event.preventDefault()
      history.back()
    })
  }
}

customElements.define('back-button', BackButton)
