import swiperFile from './deal-swiper.ts?worker&url'

/** `<deal-carousel>`: loads Swiper when the carousel comes near the viewport. */
class DealCarousel extends HTMLElement {
  connectedCallback(): void {
    const observer = new IntersectionObserver(
      entries => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        // Imported by URL, because Vite's helper for a plain dynamic import is larger than this element.
        void import(/* @vite-ignore */ swiperFile)
      },
      { rootMargin: '200px' }
    )
    observer.observe(this)
  }
}

customElements.define('deal-carousel', DealCarousel)
