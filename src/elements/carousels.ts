import { prefersReducedMotion, whenIdle } from '#lib/browser.ts'
import { BANNER_INTERVAL } from '#lib/time.ts'
import swiperFile from './deal-swiper.ts?worker&url'

/** Loads the other banners when the page is idle, so that they don't delay the first one. */
class HeroRotator extends HTMLElement {
  #current = 0
  #timer: ReturnType<typeof setInterval> | undefined
  #paused = prefersReducedMotion()

  connectedCallback() {
    whenIdle(() => {
      const otherBanners = this.querySelector('template')
      otherBanners?.replaceWith(otherBanners.content)
      this.querySelector('button')?.addEventListener('click', () => this.#setPaused(!this.#paused))
      document.addEventListener('visibilitychange', () => this.#restartTimer())
      this.#setPaused(this.#paused)
    })
  }

  #setPaused(paused: boolean) {
    this.#paused = paused
    const button = this.querySelector('button')
    if (button) {
      button.hidden = false
      button.ariaLabel = button.dataset[paused ? 'play' : 'pause'] ?? ''
      button.toggleAttribute('data-paused', paused)
    }
    this.#restartTimer()
  }

  #restartTimer() {
    clearInterval(this.#timer)
    if (!this.#paused && !document.hidden)
      this.#timer = setInterval(() => this.#showNext(), BANNER_INTERVAL)
  }

  #showNext() {
    const banners = this.querySelectorAll<HTMLElement>('[data-banner]')
    const next = (this.#current + 1) % banners.length
    if (!banners[next]?.querySelector('img')?.complete) return
    this.#current = next
    banners.forEach((banner, index) => banner.toggleAttribute('data-shown', index === next))
    this.#showText(String(next))
  }

  #showText(banner: string) {
    const texts = [...this.querySelectorAll<HTMLElement>('[data-banner-text]')]
    const shown = texts.find(text => text.dataset['bannerText'] === banner) ?? texts[0]
    for (const text of texts) text.toggleAttribute('data-shown', text === shown)
  }
}

customElements.define('hero-rotator', HeroRotator)

class DealCarousel extends HTMLElement {
  connectedCallback() {
    const observer = new IntersectionObserver(
      entries => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        // Imported by URL, because Vite's helper for a plain dynamic import is larger than this
        // element.
        void import(/* @vite-ignore */ swiperFile)
      },
      { rootMargin: '200px' }
    )
    observer.observe(this)
  }
}

customElements.define('deal-carousel', DealCarousel)
