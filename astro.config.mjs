import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import tailwind from '@astrojs/tailwind'
import { defineConfig, passthroughImageService } from 'astro/config'
import { transformWithEsbuild } from 'vite'
import { isInSitemap } from './src/lib/paths.ts'

const { SITE_URL = 'http://localhost:4321', OUT_DIR = './dist', DEV_API, RENDERER } = process.env

// The chunk `shop` contains the scripts of most content pages.
const SHARED =
  /\/Shop\.astro\?astro&type=script|\/((lib(?!\/(cart-merge|log\.|stores\/(session-notice|synced-cart|cart-(entries|sync)|drafts|log-out|session-check)))|node_modules)\/.+|elements\/(shop|account-menu|cart-badge|side-menu|toast-region|when-idle|add-to-cart|live-catalog|quantity-stepper)\.ts)\?apart$/

// Every page with islands loads the chunks `react` and `site`.
const REACT = /\/node_modules\/(react|react-dom|scheduler|@nanostores\/react)\//
const SITE =
  /\/(node_modules\/(nanostores|@nanostores\/persistent)\/.+|src\/elements\/(?!cart-sync).+|src\/islands\/ui\/(?!Tabs|Disclosure|QuantityStepper).+|src\/islands\/products\/(ProductPicture|active-filters)|src\/lib\/(?!contract|passwords|admin|checkout|address|account-forms|amount|cart-(merge|view)|delivery|log\.|order|phone|deal-view|stores\/(account|admin|cart-(discount|entries|orders|view|sync)|checkout|draw-animation|login-code|orders|pay|pending-payment|profile|quote|deals|discounts|discount-records|shop-clock|motion)).+)\.(js|tsx?)$/

export default defineConfig({
  site: SITE_URL,
  outDir: OUT_DIR,
  trailingSlash: 'never',
  build: {
    format: 'file',
    // The style sheet is a few kB. Inlining it saves a round trip before the first picture.
    inlineStylesheets: 'always'
  },
  devToolbar: { enabled: false },
  integrations: [
    react(),
    clientPainted(),
    // Tailwind's base styles are imported in src/styles/base.css, so that each page has only one style sheet.
    tailwind({ applyBaseStyles: false }),
    ...(RENDERER ? [] : [sitemap({ filter: page => isInSitemap(new URL(page).pathname) })])
  ],
  ...(RENDERER && { output: 'server', adapter: renderer(), image: { service: passthroughImageService() } }),
  vite: {
    plugins: [sortedInputs(), scriptUrl(), separateBundle(), inlineScript(), ...(RENDERER ? [publisherEntry()] : [])],
    worker: { format: 'es' },
    // Scripts stay in files, because browsers can cache files and the Content-Security-Policy allows them.
    build: {
      assetsInlineLimit: 0,
      // Combines small modules, because one chunk of a few kB loads faster than several smaller chunks.
      rollupOptions: { output: { manualChunks } }
    },
    server: DEV_API ? { proxy: { '/api': DEV_API, '/assets': DEV_API, '/sandbox': DEV_API } } : {}
  }
})

function clientPainted() {
  const entrypoint = fileURLToPath(new URL('./src/layouts/client-painted.ts', import.meta.url))
  return {
    name: 'client-painted',
    hooks: { 'astro:config:setup': ({ addClientDirective }) => addClientDirective({ name: 'painted', entrypoint }) }
  }
}

/** If RENDERER is set, the build creates a program that renders pages on the server, instead of a static site. */
function renderer() {
  const adapter = {
    name: 'renderer',
    serverEntrypoint: fileURLToPath(new URL('./src/content/renderer.ts', import.meta.url)),
    exports: ['renderer'],
    supportedAstroFeatures: { serverOutput: 'stable' }
  }
  return { name: adapter.name, hooks: { 'astro:config:done': ({ setAdapter }) => setAdapter(adapter) } }
}

/** Compiles the publishing process with the build, so that this process can run without a TypeScript compiler. */
function publisherEntry() {
  const id = fileURLToPath(new URL('./server/publishing/renderer.ts', import.meta.url))
  return {
    name: 'publisher-entry',
    buildStart() {
      if (this.environment.name === 'ssr') this.emitFile({ type: 'chunk', id, fileName: 'renderer.mjs' })
    }
  }
}

/** Sorts the build inputs, because their order varies between builds and changes the names of the output files. */
function sortedInputs() {
  return {
    name: 'sorted-inputs',
    apply: 'build',
    options: ({ input, ...options }) => ({ ...options, input: Array.isArray(input) ? input.toSorted() : input })
  }
}

/**
 * An import with `?apart` bundles a script together with its own copies of all modules it imports. Content pages import
 * their custom elements with `?apart`, because the shared chunks also contain code for islands.
 */
function separateBundle() {
  const suffix = '?apart'
  return {
    name: 'separate-bundle',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!source.endsWith(suffix) && !importer?.endsWith(suffix)) return
      const [path, importingFile] = [source.replace(suffix, ''), importer?.replace(suffix, '')]
      const resolved = await this.resolve(path, importingFile, { ...options, skipSelf: true })
      // A module with another query, such as `?url`, imports no other modules. Therefore it needs no suffix.
      return resolved && !resolved.external && !resolved.id.includes('?') ? `${resolved.id}${suffix}` : resolved
    }
  }
}

/**
 * An import with `?late` returns the URL of a script, which the page can load later. For a plain dynamic import, Vite
 * would add a helper that is larger than most of our custom elements.
 */
function scriptUrl() {
  const suffix = '?late'
  let building = false
  return {
    name: 'script-url',
    enforce: 'pre',
    config: (_, { command }) => void (building = command === 'build'),
    async resolveId(source, importer, options) {
      if (!source.endsWith(suffix)) return
      const resolved = await this.resolve(source.replace(suffix, ''), importer, { ...options, skipSelf: true })
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

/**
 * An import with `?inlined` returns a minified script as a string, to inline it in a page. The script cannot import
 * modules.
 */
function inlineScript() {
  const suffix = '?inlined'
  return {
    name: 'inline-script',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(suffix)) return
      const file = id.replace(suffix, '')
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
