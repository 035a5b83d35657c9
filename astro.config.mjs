import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import tailwind from '@astrojs/tailwind'
import { defineConfig, passthroughImageService } from 'astro/config'
import { transformWithEsbuild } from 'vite'
import { isListed } from './src/lib/paths.ts'

const { SITE_URL = 'http://localhost:4321', OUT_DIR = './dist', DEV_API, RENDERER } = process.env

/** What most content pages load. */
const SHARED =
  /\/Shop\.astro\?astro&type=script|\/((lib(?!\/(cart-merge|log\.|stores\/(session-notice|cart-(agreed|entries|sync)|drafts|log-out|session-check)))|node_modules)\/.+|elements\/(shop|account-menu|cart-badge|side-menu|toast-region|when-idle|add-to-cart|live-catalog|quantity-stepper)\.ts)\?apart$/

/** What every page with islands loads: React, and the site's own scripts with what they and most islands share. */
const REACT = /\/node_modules\/(react|react-dom|scheduler|@nanostores\/react)\//
const SITE =
  /\/(node_modules\/(nanostores|@nanostores\/persistent)\/.+|src\/elements\/(?!cart-sync).+|src\/islands\/ui\/(?!Tabs|Disclosure|QuantityStepper).+|src\/islands\/products\/(ProductPicture|chosen-filters)|src\/lib\/(?!contract|passwords|admin|checkout|address|account-forms|amount|cart-(merge|view)|delivery|log\.|order|phone|deal-view|stores\/(account|admin|cart-(discount|entries|ordered|shown|sync)|checkout|orders|pay|profile|quote|sent-code|deals|discounts|discount-records|shop-clock|spin|motion)).+)\.(js|tsx?)$/

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
    opened(),
    // src/styles/shop.css brings the base styles, so that each kind of page has exactly one sheet.
    tailwind({ applyBaseStyles: false }),
    ...(RENDERER ? [] : [sitemap({ filter: page => isListed(new URL(page).pathname) })])
  ],
  ...(RENDERER && { output: 'server', adapter: renderer(), image: { service: passthroughImageService() } }),
  vite: {
    plugins: [steady(), late(), apart(), inlined(), ...(RENDERER ? [publisher()] : [])],
    worker: { format: 'es' },
    // Scripts stay files: cached across pages, and nothing inline for the Content-Security-Policy to allow.
    build: {
      assetsInlineLimit: 0,
      // A few kilobytes compress and travel better as one file than as nine.
      rollupOptions: { output: { manualChunks } }
    },
    server: DEV_API ? { proxy: { '/api': DEV_API, '/assets': DEV_API, '/sandbox': DEV_API } } : {}
  }
})

/** `client:opened`: see src/layouts/Opening.astro. */
function opened() {
  const entrypoint = fileURLToPath(new URL('./src/layouts/client-opened.ts', import.meta.url))
  return {
    name: 'opened',
    hooks: { 'astro:config:setup': ({ addClientDirective }) => addClientDirective({ name: 'opened', entrypoint }) }
  }
}

/** With RENDERER set the build is no site but a program that renders its pages, which the shop publishes with. */
function renderer() {
  const adapter = {
    name: 'renderer',
    serverEntrypoint: fileURLToPath(new URL('./src/content/renderer.ts', import.meta.url)),
    exports: ['renderer'],
    supportedAstroFeatures: { serverOutput: 'stable' }
  }
  return { name: adapter.name, hooks: { 'astro:config:done': ({ setAdapter }) => setAdapter(adapter) } }
}

/** The process that publishes with them: built with the pages, it starts without the compiler that the shop runs by. */
function publisher() {
  const id = fileURLToPath(new URL('./server/renderer.ts', import.meta.url))
  return {
    name: 'publisher',
    buildStart() {
      if (this.environment.name === 'ssr') this.emitFile({ type: 'chunk', id, fileName: 'renderer.mjs' })
    }
  }
}

/**
 * Astro names the scripts of the pages in the order in which its files happened to load; what is bundled in which order
 * hangs on it, and with it every file's name. Sorted, the same code makes the same files wherever it is built.
 */
function steady() {
  return {
    name: 'steady',
    apply: 'build',
    options: ({ input, ...options }) => ({ ...options, input: Array.isArray(input) ? input.toSorted() : input })
  }
}

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

/**
 * What is imported with `?late` is the address of a script that shares its modules with who imports it. Vite would wrap
 * a plain dynamic import in a helper that is larger than most of our elements.
 */
function late() {
  const mark = '?late'
  let building = false
  return {
    name: 'late',
    enforce: 'pre',
    config: (_, { command }) => void (building = command === 'build'),
    async resolveId(source, importer, options) {
      if (!source.endsWith(mark)) return
      const resolved = await this.resolve(source.replace(mark, ''), importer, { ...options, skipSelf: true })
      return resolved && `${resolved.id}${resolved.id.includes('?') ? '&' : '?'}late`
    },
    load(id) {
      if (!/[?&]late$/.test(id)) return
      const script = id.replace(/[?&]late$/, '')
      if (!building) return `export default ${JSON.stringify(script)}`
      return `export default import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: script })}`
    }
  }
}

/** What is imported with `?inlined` is the text of a script without imports, for a page that runs it before it is painted. */
function inlined() {
  const mark = '?inlined'
  return {
    name: 'inlined',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(mark)) return
      const file = id.replace(mark, '')
      const { code } = await transformWithEsbuild(await readFile(file, 'utf8'), file, { format: 'iife', minify: true })
      return `export default ${JSON.stringify(code.trim())}`
    }
  }
}

function manualChunks(id) {
  if (SHARED.test(id)) return 'shop'
  if (REACT.test(id)) return 'react'
  return SITE.test(id) ? 'site' : undefined
}
