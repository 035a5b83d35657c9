// Keeps public pages, so that they open at once and without a network; sw-off.js removes it all.
// A page is kept by its path, with the release that was known before it was requested (x-release)
// and the hashed files it needs (x-files), which are all stored before the page.
const [PAGES, FILES, PICTURES] = ['pages-1', 'files-1', 'pictures-1']
const [MAX_PAGES, MAX_PICTURES] = [40, 80]
const RELEASE = '/release.txt'
const PRIVATE = /^\/(?:[a-z]{2,3}\/)?(?:api|sandbox|admin)(?:\/|$)/
const [SECOND, DAY] = [1000, 24 * 3600 * 1000]
const ignore = () => undefined

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(activate()))
self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || request.headers.has('range')) return
  const isPage = request.mode === 'navigate' && !/^\/(?:api|sandbox)\//.test(pathname)
  const open = isPage ? openPage : { _astro: openFile, assets: openPicture }[pathname.split('/')[1]]
  // If the browser's storage fails, the page must open too.
  if (open) event.respondWith(open(event, pathname).catch(() => fetch(request)))
})

async function activate() {
  for (const name of await caches.keys())
    if (![PAGES, FILES, PICTURES].includes(name)) await caches.delete(name)
  await self.clients.claim()
  const [page] = await self.clients.matchAll({ type: 'window' })
  // Not awaited, because requests wait for this event.
  if (page) update(new URL(page.url).pathname, true).catch(ignore)
}

async function openPage(event, pathname) {
  const { cache, referrer } = event.request
  const path = pathname.replace(/(.)\/+$/, '$1')
  const pages = await caches.open(PAGES)
  const [kept, release] = await Promise.all([pages.match(path), readRelease(pages)])
  const isCurrent = kept && kept.headers.get('x-release') === release && ageOf(kept) < 7 * DAY
  // An owner who comes from the administration has perhaps just changed the page.
  if (isCurrent && cache === 'default' && !/^[^?#]*\/admin\b/.test(referrer)) {
    event.waitUntil(update(path).catch(ignore))
    return kept
  }
  const loading = fetch(event.request)
  const keeping = loading.then(reply => keep(path, reply.clone(), release))
  event.waitUntil(keeping.then(() => update(path)).catch(ignore))
  const limit = new Promise(end => setTimeout(end, (kept ? 3 : 20) * SECOND))
  const reply = await Promise.race([loading, limit]).catch(ignore)
  if (reply && (reply.status < 500 || !kept)) return reply
  const [offline] = listMainPages(path)
  return kept ?? (await pages.match(offline)) ?? (await pages.match('/offline')) ?? loading
}

async function openFile({ request }) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
}

async function openPicture(event) {
  const pictures = await caches.open(PICTURES)
  const kept = await pictures.match(event.request)
  const reply = kept ?? (await fetch(event.request))
  if (kept || reply.status !== 200) return reply
  const storing = pictures.put(event.request, reply.clone())
  event.waitUntil(storing.then(() => deleteOldest(pictures, MAX_PICTURES)).catch(ignore))
  return reply
}

/** Learns of a new release, whose pages are shown from the next navigation on. */
async function update(path, isFirst = false) {
  const pages = await caches.open(PAGES)
  const reply = await fetch(RELEASE, { cache: 'no-store', redirect: 'error' })
  // On a host without this file, pages come from the network while there is one.
  const release = reply.ok ? (await reply.text()).slice(0, 99) : String(Date.now())
  if (release !== (await readRelease(pages))) await pages.put(RELEASE, new Response(release))
  if (navigator.connection?.saveData) return
  for (const page of isFirst ? [path, ...listMainPages(path)] : listMainPages(path)) {
    const kept = await pages.match(page)
    if (!kept || ageOf(kept) > DAY) await keep(page, await fetch(page), release)
  }
}

const readRelease = async pages => (await pages.match(RELEASE))?.text()
const ageOf = reply => Date.now() - Date.parse(reply.headers.get('date'))

/** In the language of a page. They always work offline. */
function listMainPages(path) {
  const language = /^\/[a-z]{2,3}(?=\/|$)/.exec(path)?.[0] ?? ''
  return [`${language}/offline`, language || '/', `${language}/products`, `${language}/cart`]
}

/** Stores one page after the other, because files that no stored page needs are deleted. */
let storing = Promise.resolve()

async function keep(path, reply, release = '') {
  if ([404, 410].includes(reply.status)) return (await caches.open(PAGES)).delete(path)
  const headers = new Headers(reply.headers)
  const isHtml = /^text\/html/.test(headers.get('content-type'))
  const isRefused = reply.redirected || /no-store/.test(headers.get('cache-control'))
  if (!reply.ok || !isHtml || isRefused || PRIVATE.test(path)) return
  const html = await reply.text()
  // Private pages are not for search engines either. Of those, the cart's HTML has nobody's data.
  if (/<meta name="robots"/.test(html) && !listMainPages(path).includes(path)) return
  headers.delete('content-encoding')
  headers.set('x-release', release)
  await (storing = storing.then(() => store(path, html, headers)).catch(ignore))
}

async function store(path, html, headers) {
  const [pages, files] = await Promise.all([caches.open(PAGES), caches.open(FILES)])
  const limit = new AbortController()
  setTimeout(() => limit.abort(), 60 * SECOND)
  headers.set('x-files', [...(await keepFiles(files, html, limit))].join(' '))
  await pages.put(path, new Response(html, { headers }))
  await deleteOldest(pages, MAX_PAGES, [RELEASE, ...listMainPages(path)])
  const stored = await pages.matchAll()
  const used = stored.flatMap(page => (page.headers.get('x-files') ?? '').split(' '))
  for (const file of await files.keys())
    if (!used.includes(new URL(file.url).pathname)) await files.delete(file)
}

/** Also what the scripts import. Fails if one file can't be loaded. */
async function keepFiles(files, text, { signal }, importer = '/', found = new Set()) {
  const names = text.match(/(?:\/_astro\/|["']\.\.?\/)[\w./@-]+\.\w+/g) ?? []
  const load = async name => {
    const { pathname } = new URL(name.replace(/^["']/, ''), location.origin + importer)
    if (found.has(pathname)) return
    found.add(pathname)
    const kept = await files.match(pathname, { ignoreVary: true })
    const reply = kept ?? (await fetch(pathname, { signal }))
    if (!reply.ok) throw new Error(`${pathname} is missing`)
    if (!kept) await files.put(pathname, reply.clone())
    if (pathname.endsWith('.js'))
      await keepFiles(files, await reply.text(), { signal }, pathname, found)
  }
  await Promise.all(names.map(load))
  return found
}

async function deleteOldest(cache, max, except = []) {
  const keys = await cache.keys()
  const others = keys.filter(({ url }) => !except.includes(new URL(url).pathname))
  for (const key of others.slice(0, -max)) await cache.delete(key)
}
