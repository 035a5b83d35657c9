import { prefersReducedMotion } from '#lib/browser.ts'

class ProductGallery extends HTMLElement {
  connectedCallback(): void {
    const strip = this.querySelector<HTMLElement>('[data-strip]')
    const links = [...this.querySelectorAll<HTMLElement>('[data-thumbnail]')]
    if (!strip) return
    const scrollToPicture = (index: number): void => {
      strip.scrollTo({ left: index * strip.clientWidth, behavior: prefersReducedMotion() ? 'auto' : 'smooth' })
    }
    const markShown = (): void => {
      const shown = Math.round(strip.scrollLeft / strip.clientWidth)
      links.forEach((link, index) => (link.ariaCurrent = String(index === shown)))
    }
    links.forEach((link, index) => {
      link.role = 'button'
      link.addEventListener('click', event => {
        event.preventDefault()
        scrollToPicture(index)
      })
      link.addEventListener('keydown', event => {
        if (event.key !== ' ') return
        event.preventDefault()
        scrollToPicture(index)
      })
    })
    strip.addEventListener('scroll', markShown, { passive: true })
    markShown()
  }
}

customElements.define('product-gallery', ProductGallery)
