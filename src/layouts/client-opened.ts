import type { ClientDirective } from 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:opened'?: boolean
  }
}

/** Hydrates an island once its page has opened. */
const whenOpened: ClientDirective = load => {
  const hydrate = (): void => void load().then(run => run())
  if (document.documentElement.dataset['opening'] === undefined) hydrate()
  else addEventListener('opened', hydrate, { once: true })
}

export default whenOpened
