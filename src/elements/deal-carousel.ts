import swiperFile from './deal-swiper.ts?worker&url'

/** `<deal-carousel>`: loads Swiper for its scrolling list when it comes near the viewport. */
class DealCarousel extends HTMLElement {
  connectedCallback(): void {
    const watch = new IntersectionObserver(
      entries => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        watch.disconnect()
        // By URL: Vite's helper for a plain dynamic import is larger than this element.
        void import(/* @vite-ignore */ swiperFile)
      },
      { rootMargin: '200px' }
    )
    watch.observe(this)
  }
}

customElements.define('deal-carousel', DealCarousel)
