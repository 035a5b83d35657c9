import swiperFile from './deal-swiper.ts?worker&url'

/**
 * `<deal-carousel>` around a list that scrolls sideways by itself. Near the view its frame becomes a Swiper, which
 * brings dragging with a mouse and lets the two buttons wrap around.
 */
class DealCarousel extends HTMLElement {
  connectedCallback(): void {
    const watch = new IntersectionObserver(
      entries => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        watch.disconnect()
        // By its address: Vite would wrap a plain dynamic import in a helper that is larger than this element.
        void import(/* @vite-ignore */ swiperFile)
      },
      { rootMargin: '200px' }
    )
    watch.observe(this)
  }
}

customElements.define('deal-carousel', DealCarousel)
