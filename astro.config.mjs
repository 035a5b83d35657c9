import { existsSync, readdirSync, rmSync } from 'node:fs'
import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import tailwind from '@astrojs/tailwind'
import { defineConfig, passthroughImageService } from 'astro/config'
import islandScript from 'astro/runtime/server/astro-island.prebuilt.js'
import { writeHostFiles } from './server/publishing/release/headers.ts'
import { languageScripts, textMarks } from './server/publishing/release/language-scripts.ts'
import { DEFAULT_LANGUAGE, LANGUAGES, TRANSLATIONS } from './src/lib/constants.ts'
import { isInSitemap } from './src/lib/paths.ts'
import { findInlineScripts } from './src/lib/renderer.ts'

const { SITE_URL = 'http://localhost:4321', OUT_DIR = './dist', DEV_API, RENDERER } = process.env
const {
  SERVICE_WORKER = 'on',
  PUBLIC_API_BASE = '/api',
  BUILD_API_BASE = 'http://localhost:4321/api'
} = process.env

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
    localRoutes(),
    serviceWorker(),
    // Tailwind's base styles are imported in src/styles/base.css, so that each page has only one style sheet.
    tailwind({ applyBaseStyles: false }),
    ...(RENDERER
      ? []
      : [
          sitemap({
            filter: page => isInSitemap(new URL(page).pathname),
            i18n: {
              defaultLocale: DEFAULT_LANGUAGE,
              locales: Object.fromEntries(Object.keys(LANGUAGES).map(code => [code, code]))
            }
          }),
          hostFiles()
        ])
  ],
  ...(RENDERER && {
    output: 'server',
    adapter: renderer(),
    image: { service: passthroughImageService() }
  }),
  vite: {
    worker: { format: 'es', plugins: () => [textMarks()] },
    plugins: [
      sortedInputs(),
      separateBundle(),
      sharedScripts(),
      withoutPreloading(),
      textMarks(),
      languageScripts(),
      ...(RENDERER ? [publisherEntry()] : [])
    ],
    define: { 'import.meta.env.SERVICE_WORKER': JSON.stringify(SERVICE_WORKER) },
    // Scripts stay in files, because browsers can cache files and the Content-Security-Policy allows them.
    build: { assetsInlineLimit: 0 },
    server: DEV_API ? { proxy: { '/api': DEV_API, '/assets': DEV_API, '/sandbox': DEV_API } } : {}
  }
})

/** If RENDERER is set, the build creates a program that renders pages on the server, instead of a static site. */
function renderer() {
  const adapter = {
    name: 'renderer',
    serverEntrypoint: fileURLToPath(new URL('./src/content/renderer.ts', import.meta.url)),
    exports: ['renderer'],
    supportedAstroFeatures: { serverOutput: 'stable' }
  }
  return {
    name: adapter.name,
    hooks: { 'astro:config:done': ({ setAdapter }) => setAdapter(adapter) }
  }
}

/** Compiles the publishing process with the build, so that this process can run without a TypeScript compiler. */
function publisherEntry() {
  const id = fileURLToPath(new URL('./server/publishing/renderer.ts', import.meta.url))
  return {
    name: 'publisher-entry',
    buildStart() {
      if (this.environment.name === 'ssr')
        this.emitFile({ type: 'chunk', id, fileName: 'renderer.mjs' })
    }
  }
}

/** Serves each page in each language. */
function localRoutes() {
  return {
    name: 'local-routes',
    hooks: {
      'astro:config:setup': ({ injectRoute }) => {
        const pages = new URL('./src/pages/', import.meta.url)
        const names = readdirSync(pages, { recursive: true }).filter(name =>
          name.endsWith('.astro')
        )
        for (const code of TRANSLATIONS)
          for (const name of names)
            injectRoute({
              pattern: `/${code}/${name}`.replace(/(\/index)?\.astro$/, ''),
              entrypoint: new URL(name, pages)
            })
      }
    }
  }
}

/** With SERVICE_WORKER=off and in development, `/sw.js` removes the service worker that a browser has. */
function serviceWorker() {
  const remover = new URL('./public/sw-off.js', import.meta.url)
  return {
    name: 'service-worker',
    hooks: {
      'astro:server:setup': ({ server }) =>
        void server.middlewares.use('/sw.js', async (_, reply) =>
          reply.setHeader('content-type', 'text/javascript').end(await readFile(remover))
        ),
      'astro:build:done': async ({ dir }) => {
        if (SERVICE_WORKER === 'off') await copyFile(remover, new URL('sw.js', dir))
      }
    }
  }
}

/** Adds `_headers` and `_redirects` to the static site, with the same rules as in the shop's own releases. */
function hostFiles() {
  let outDir
  let checkout
  let directives = []
  return {
    name: 'host-files',
    hooks: {
      'astro:config:done': ({ config }) => void (outDir = config.outDir),
      'astro:build:start': async () => void (checkout = await readCheckoutUrl()),
      // Astro has just emptied the folder. A build that fails later would leave its server modules there.
      'astro:build:setup': ({ target }) => {
        if (target === 'server') process.once('exit', code => code !== 0 && emptyFolder(outDir))
      },
      'astro:build:ssr': ({ manifest }) =>
        void (directives = manifest.clientDirectives.map(([, script]) => script)),
      'astro:build:done': async ({ dir }) => {
        const knownScripts = new Set([islandScript, ...directives, ...(await listInlineScripts())])
        await writeHostFiles(fileURLToPath(dir), SITE_URL, {
          api: PUBLIC_API_BASE,
          checkout,
          knownScripts
        })
      }
    }
  }
}

function emptyFolder(folder) {
  const path = fileURLToPath(folder)
  const names = existsSync(path) ? readdirSync(path).filter(name => name !== '.git') : []
  for (const name of names) rmSync(join(path, name), { recursive: true })
}

/** Fails before anything is built if there is no API to read from. */
async function readCheckoutUrl() {
  try {
    const reply = await fetch(`${BUILD_API_BASE}/site-content`)
    if (!reply.ok) throw new Error(`it answered with status ${reply.status}`)
    return (await reply.json()).checkoutUrl
  } catch (error) {
    const reason = error.cause?.message || error.cause?.code || error.message
    throw new Error(
      `Found no API at BUILD_API_BASE=${BUILD_API_BASE} (${reason}). ` +
        'Set BUILD_API_BASE to the URL of a running API, such as http://localhost:4321/api.'
    )
  }
}

async function listInlineScripts() {
  const src = new URL('./src/', import.meta.url)
  const names = (await readdir(src, { recursive: true })).filter(name => name.endsWith('.astro'))
  const sources = await Promise.all(names.map(name => readFile(new URL(name, src), 'utf8')))
  return sources.flatMap(findInlineScripts)
}

/** Sorts the build inputs, because their order varies between builds and changes the names of the output files. */
function sortedInputs() {
  return {
    name: 'sorted-inputs',
    apply: 'build',
    options: ({ input, ...options }) => ({
      ...options,
      input: Array.isArray(input) ? input.toSorted() : input
    })
  }
}

/**
 * An import with `?apart` bundles a script together with its own copies of all modules it imports. Content pages import
 * their custom elements with `?apart`, because the code that they would share with islands is twice as large.
 */
function separateBundle() {
  const suffix = /[?&]apart$/
  return {
    name: 'separate-bundle',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!suffix.test(source) && !(importer && suffix.test(importer))) return
      const [path, importingFile] = [source.replace(suffix, ''), importer?.replace(suffix, '')]
      const resolved = await this.resolve(path, importingFile, { ...options, skipSelf: true })
      if (!resolved || resolved.external) return resolved
      return `${resolved.id}${resolved.id.includes('?') ? '&' : '?'}apart`
    }
  }
}

/**
 * Puts the code that several pages use into the script of their layout. All scripts of a page are named in its HTML, so
 * that the browser requests them at once. Only in the browser's build, because pages that share a chunk on the server
 * get the style sheets of both.
 */
function sharedScripts() {
  const build = {
    modulePreload: { resolveDependencies: () => [] },
    rollupOptions: { output: { manualChunks } }
  }
  return {
    name: 'shared-scripts',
    config: (_, { isSsrBuild }) => (isSsrBuild ? undefined : { build })
  }
}

/**
 * Vite's helper around `import()` names the imports of a lazy script in the page, in more code than most of these scripts
 * have. Ours import only files that their page has loaded already.
 */
function withoutPreloading() {
  const helper = '\0vite/preload-helper.js'
  return {
    name: 'without-preloading',
    apply: 'build',
    enforce: 'pre',
    load: id => (id.startsWith(helper) ? 'export const __vitePreload = load => load()' : undefined)
  }
}

function manualChunks(id, { getModuleInfo }) {
  const layout = /\/layouts\/(\w+)\.astro\?astro&type=script/.exec(id)
  if (layout) return layout[1]
  if (/\/pages\/admin\/.*\?astro&type=script/.test(id)) return 'AdminForms'
  const pages = findPages(id, getModuleInfo)
  if (pages.size < 2) return undefined
  if (/[?&]apart$/.test(id)) return 'Shop'
  const isUsedIn = folder => [...pages].some(page => folder.test(page))
  if (isUsedIn(/layouts\/Island|#islands\/catalog\/|pages\/products\/index/)) return 'Island'
  if (isUsedIn(/#islands\/account\/LoginPage/)) return 'PrivatePage'
  if (isUsedIn(/#islands\/(?!admin)/)) return 'ShopperPage'
  return isUsedIn(/layouts\/Admin\.|#islands\/admin\/(overview|orders|kitchen)\//)
    ? 'Admin'
    : 'AdminForms'
}

/** Returns the build inputs that import a module, directly or indirectly. */
function findPages(id, getModuleInfo, seen = new Set()) {
  if (seen.has(id)) return new Set()
  seen.add(id)
  const { isEntry, importers } = getModuleInfo(id)
  const pages = importers.flatMap(importer => [...findPages(importer, getModuleInfo, seen)])
  return new Set(isEntry ? [id, ...pages] : pages)
}
