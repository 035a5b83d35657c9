import { BANNER_ROTATION } from '#lib/time.ts'
import { prefersStillness } from '#lib/stores/motion.ts'
import { whenIdle } from './when-idle.ts'

/**
 * `<hero-rotator>` around the first banner, a template with the others and a pause button. The others are fetched when
 * the page is idle, so that they never compete with the first picture.
 */
class HeroRotator extends HTMLElement {
  #current = 0
  #timer: ReturnType<typeof setInterval> | undefined
  #paused = prefersStillness()

  connectedCallback(): void {
    whenIdle(() => {
      const rest = this.querySelector('template')
      rest?.replaceWith(rest.content)
      this.querySelector('button')?.addEventListener('click', () => this.#set(!this.#paused))
      document.addEventListener('visibilitychange', () => this.#run())
      this.#set(this.#paused)
    })
  }

  disconnectedCallback(): void {
    clearInterval(this.#timer)
  }

  #set(paused: boolean): void {
    this.#paused = paused
    const button = this.querySelector('button')
    if (button) {
      button.hidden = false
      button.ariaLabel = button.dataset[paused ? 'play' : 'pause'] ?? ''
      button.toggleAttribute('data-paused', paused)
    }
    this.#run()
  }

  #run(): void {
    clearInterval(this.#timer)
    if (!this.#paused && !document.hidden) this.#timer = setInterval(() => this.#next(), BANNER_ROTATION)
  }

  #next(): void {
    const banners = this.querySelectorAll<HTMLElement>('[data-banner]')
    const next = (this.#current + 1) % banners.length
    // A banner that has not arrived yet waits for the next turn rather than show an empty place.
    if (!banners[next]?.querySelector('img')?.complete) return
    this.#current = next
    banners.forEach((banner, index) => banner.toggleAttribute('data-shown', index === next))
  }
}

customElements.define('hero-rotator', HeroRotator)
