import type { ClientDirective } from 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:opened'?: boolean
  }
}

/** Hydrates an island once its page has opened, and has drawn what came with that. */
const whenOpened: ClientDirective = load => {
  const hydrate = (): void => void load().then(run => run())
  const soon = (): unknown => ('requestIdleCallback' in window ? requestIdleCallback : setTimeout)(hydrate)
  if (document.documentElement.dataset['opening'] === undefined) soon()
  else addEventListener('opened', soon, { once: true })
}

export default whenOpened
