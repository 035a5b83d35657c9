import Swiper from 'swiper'
import { prefersStillness } from '#lib/stores/motion.ts'
import { updateSlides } from './deal-slides.ts'

/** `<deal-swiper>`, the frame of the carousel's list; defined when the carousel comes near the view, and never before. */
class DealSwiper extends HTMLElement {
  connectedCallback(): void {
    const [previous, next] = this.parentElement?.querySelectorAll<HTMLElement>('[data-step]') ?? []
    if (!previous || !next) return
    this.toggleAttribute('data-swiper', true)
    this.scrollLeft = 0
    const swiper = new Swiper(this, {
      slidesPerView: 'auto',
      rewind: true,
      speed: prefersStillness() ? 0 : 250,
      wrapperClass: 'deal-track',
      slideClass: 'deal-slide'
    })
    previous.addEventListener('click', () => swiper.slidePrev())
    next.addEventListener('click', () => swiper.slideNext())
    // A link reached by keyboard must be in view: the browser can't scroll what Swiper moves.
    this.addEventListener('focusin', ({ target }) => {
      const index = swiper.slides.findIndex(slide => slide.contains(target as Node))
      if (index >= 0) swiper.slideTo(index)
    })
    const offer = (): void => {
      previous.hidden = next.hidden = swiper.isLocked
    }
    swiper.on('lock', offer)
    swiper.on('unlock', offer)
    offer()
    void this.#bringUpToDate(swiper)
  }

  async #bringUpToDate(swiper: Swiper): Promise<void> {
    const [list, form] = [this.querySelector('ul'), this.querySelector('template')]
    const note = this.parentElement?.querySelector('[data-no-deals]')
    if (!list || !form || !note) return
    note.textContent = await updateSlides(list, form)
    swiper.update()
  }
}

customElements.define('deal-swiper', DealSwiper)
