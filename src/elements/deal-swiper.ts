import Swiper from 'swiper'
import { prefersReducedMotion } from '#lib/stores/motion.ts'
import { updateSlides } from './deal-slides.ts'

class DealSwiper extends HTMLElement {
  connectedCallback(): void {
    const [previous, next] = this.parentElement?.querySelectorAll<HTMLElement>('[data-step]') ?? []
    if (!previous || !next) return
    this.toggleAttribute('data-swiper', true)
    this.scrollLeft = 0
    const swiper = new Swiper(this, {
      slidesPerView: 'auto',
      rewind: true,
      speed: prefersReducedMotion() ? 0 : 250,
      wrapperClass: 'deal-track',
      slideClass: 'deal-slide'
    })
    previous.addEventListener('click', () => swiper.slidePrev())
    next.addEventListener('click', () => swiper.slideNext())
    // When a link gets the focus, Swiper must show the link's slide, because the browser cannot scroll to the slide.
    this.addEventListener('focusin', ({ target }) => {
      const index = swiper.slides.findIndex(slide => slide.contains(target as Node))
      if (index >= 0) swiper.slideTo(index)
    })
    const toggleButtons = (): void => {
      previous.hidden = next.hidden = swiper.isLocked
    }
    swiper.on('lock', toggleButtons)
    swiper.on('unlock', toggleButtons)
    toggleButtons()
    void this.#update(swiper)
  }

  async #update(swiper: Swiper): Promise<void> {
    const [list, template] = [this.querySelector('ul'), this.querySelector('template')]
    const emptyNote = this.parentElement?.querySelector('[data-no-deals]')
    if (!list || !template || !emptyNote) return
    emptyNote.textContent = await updateSlides(list, template)
    swiper.update()
  }
}

customElements.define('deal-swiper', DealSwiper)
