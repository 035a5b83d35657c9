import type { ClientDirective } from 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:opened'?: boolean
  }
}

/** How long an island waits for a quiet moment, in ms. */
const PATIENCE = 1000

/** Hydrates an island once its page has opened, and has drawn what came with that. */
const whenOpened: ClientDirective = load => {
  const hydrate = (): void => void load().then(run => run())
  const soon = (): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(hydrate, { timeout: PATIENCE })
    else setTimeout(hydrate)
  }
  if (document.documentElement.dataset['opening'] === undefined) soon()
  else addEventListener('opened', soon, { once: true })
}

export default whenOpened
