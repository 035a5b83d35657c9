import { BANNER_INTERVAL } from '#lib/time.ts'
import { prefersReducedMotion, whenIdle } from '#lib/browser.ts'

/** `<hero-rotator>`: loads all banners except the first when the page is idle, so that they don't delay the first. */
class HeroRotator extends HTMLElement {
  #current = 0
  #timer: ReturnType<typeof setInterval> | undefined
  #paused = prefersReducedMotion()

  connectedCallback(): void {
    whenIdle(() => {
      const otherBanners = this.querySelector('template')
      otherBanners?.replaceWith(otherBanners.content)
      this.querySelector('button')?.addEventListener('click', () => this.#setPaused(!this.#paused))
      document.addEventListener('visibilitychange', () => this.#restartTimer())
      this.#setPaused(this.#paused)
    })
  }

  disconnectedCallback(): void {
    clearInterval(this.#timer)
  }

  #setPaused(paused: boolean): void {
    this.#paused = paused
    const button = this.querySelector('button')
    if (button) {
      button.hidden = false
      button.ariaLabel = button.dataset[paused ? 'play' : 'pause'] ?? ''
      button.toggleAttribute('data-paused', paused)
    }
    this.#restartTimer()
  }

  #restartTimer(): void {
    clearInterval(this.#timer)
    if (!this.#paused && !document.hidden) this.#timer = setInterval(() => this.#showNext(), BANNER_INTERVAL)
  }

  #showNext(): void {
    const banners = this.querySelectorAll<HTMLElement>('[data-banner]')
    const next = (this.#current + 1) % banners.length
    // Skip this turn if the next picture has not loaded yet.
    if (!banners[next]?.querySelector('img')?.complete) return
    this.#current = next
    banners.forEach((banner, index) => banner.toggleAttribute('data-shown', index === next))
  }
}

customElements.define('hero-rotator', HeroRotator)
