import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import tailwind from '@astrojs/tailwind'
import { defineConfig } from 'astro/config'
import { isListed } from './src/lib/paths.ts'

const { SITE_URL = 'http://localhost:4321', OUT_DIR = './dist', DEV_API } = process.env

/** What most content pages load. */
const SHARED =
  /\/Shop\.astro\?astro&type=script|\/((lib|node_modules)\/.+|elements\/(shop|cart-badge|side-menu|toast-region|still|add-to-cart|live-catalog|quantity-stepper)\.ts)\?apart$/

export default defineConfig({
  site: SITE_URL,
  outDir: OUT_DIR,
  trailingSlash: 'never',
  build: {
    format: 'file',
    // One sheet of a few kilobytes: inside the page it saves the round trip that would delay the first picture.
    inlineStylesheets: 'always'
  },
  devToolbar: { enabled: false },
  integrations: [
    react(),
    // src/styles/shop.css brings the base styles, so that each kind of page has exactly one sheet.
    tailwind({ applyBaseStyles: false }),
    sitemap({ filter: page => isListed(new URL(page).pathname) })
  ],
  vite: {
    plugins: [apart()],
    worker: { format: 'es' },
    // Scripts stay files: cached across pages, and nothing inline for the Content-Security-Policy to allow.
    build: {
      assetsInlineLimit: 0,
      // A few kilobytes compress and travel better as one file than as nine.
      rollupOptions: { output: { manualChunks: id => (SHARED.test(id) ? 'shop' : undefined) } }
    },
    server: DEV_API ? { proxy: { '/api': DEV_API, '/assets': DEV_API } } : {}
  }
})

/**
 * What is imported with `?apart` is bundled with copies of its own of all it imports. Content pages import their
 * elements so: otherwise each constant and message that an island uses would travel to every page in a shared chunk.
 */
function apart() {
  const mark = '?apart'
  return {
    name: 'apart',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!source.endsWith(mark) && !importer?.endsWith(mark)) return
      const [bare, from] = [source.replace(mark, ''), importer?.replace(mark, '')]
      const resolved = await this.resolve(bare, from, { ...options, skipSelf: true })
      // What is asked for in another form (`?url`) has no imports to keep apart.
      return resolved && !resolved.external && !resolved.id.includes('?') ? `${resolved.id}${mark}` : resolved
    }
  }
}
