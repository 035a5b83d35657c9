// Keeps public pages, so that they open at once and without a network; sw-off.js removes it all.
// A page is kept by its path, with the release that was known before it was requested (x-release)
// and the hashed files it needs (x-files), which are all stored before the page.
const [PAGES, FILES, PICTURES, RELEASE] = ['pages', 'files', 'pictures', '/release.txt']
const PRIVATE = /^\/(?:[a-z]{2,3}\/)?(?:api|sandbox|admin)(?:\/|$)/
const [SECOND, DAY] = [1000, 24 * 3600 * 1000]
const NO_PICTURE = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
const ignore = () => undefined

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))
// Of a page that was opened before the worker could keep it.
self.addEventListener('message', event =>
  event.waitUntil(update(new URL(event.source.url).pathname, true).catch(ignore))
)
self.addEventListener('fetch', event => {
  const { method, url, headers, mode } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin || headers.has('range')) return
  const isPage = mode === 'navigate' && !/^\/(?:api|sandbox)\//.test(pathname)
  const open = isPage ? openPage : { _astro: openFile, assets: openFile }[pathname.split('/')[1]]
  // If the browser's storage fails, the page must open too.
  if (open) event.respondWith(open(event, pathname).catch(() => fetch(event.request)))
})

async function openPage(event, pathname) {
  const { cache, referrer } = event.request
  const path = pathname.replace(/(.)\/+$/, '$1')
  const pages = await caches.open(PAGES)
  const kept = await pages.match(path)
  const release = await (await pages.match(RELEASE))?.text()
  const isCurrent = kept && kept.headers.get('x-release') === release && ageOf(kept) < 7 * DAY
  // An owner who comes from the administration has perhaps just changed the page.
  const wantsNew = /^no|^reload/.test(cache) || /^[^?#]*\/admin\b/.test(referrer)
  if (isCurrent && !wantsNew) {
    event.waitUntil(update(path).catch(ignore))
    return kept
  }
  const loading = fetch(event.request)
  // After Back, the browser's own cache may answer with a page of any age.
  const known = cache === 'force-cache' ? undefined : release
  const keeping = loading.then(reply => keep(path, reply.clone(), known))
  event.waitUntil(keeping.then(() => update(path)).catch(ignore))
  const limit = new Promise(end => setTimeout(end, (kept ? 3 : 20) * SECOND))
  const reply = await Promise.race([loading, limit]).catch(ignore)
  if (reply && (reply.status < 500 || !kept)) return reply
  const offline = (await pages.match(listMainPages(path)[0])) ?? (await pages.match('/offline'))
  return kept ?? offline ?? loading
}

/** A hashed file or a picture. Of a picture that can't be loaded, only its colour is shown. */
async function openFile(event, pathname) {
  const { request } = event
  const kept = await caches.match(request, { ignoreVary: true })
  const loading = kept ?? fetch(request)
  if (kept || pathname.startsWith('/_astro/')) return loading
  const isStored = loading.then(reply => reply.ok && put(PICTURES, request, reply.clone(), 80))
  event.waitUntil(isStored.catch(ignore))
  return loading.catch(() => fetch(NO_PICTURE))
}

/** Learns of a new release, whose pages are shown from the next navigation on. */
async function update(path, isFirst = false) {
  const reply = await fetch(RELEASE, { cache: 'no-store', redirect: 'error' })
  // On a host without this file, pages come from the network while there is one.
  const release = reply.ok ? (await reply.text()).slice(0, 99) : String(Date.now())
  await put(PAGES, RELEASE, new Response(release))
  if (navigator.connection?.saveData) return
  for (const page of isFirst ? [path, ...listMainPages(path)] : listMainPages(path)) {
    const kept = await caches.match(page)
    if (!kept || ageOf(kept) > DAY) await keep(page, await fetch(page), release)
  }
}

const ageOf = reply => Date.now() - Date.parse(reply.headers.get('date'))
/** In the language of a page. They always work offline. */
const listMainPages = path => {
  const language = /^\/[a-z]{2,3}(?=\/|$)/.exec(path)?.[0] ?? ''
  return [`${language}/offline`, language || '/', `${language}/products`, `${language}/cart`]
}

async function keep(path, reply, release = '') {
  // Such as a product that is deleted.
  if (reply.status === 404) await (await caches.open(PAGES)).delete(path)
  const headers = new Headers(reply.headers)
  const isHtml = /^text\/html/.test(headers.get('content-type'))
  const isKept = isHtml && !/no-store/.test(headers.get('cache-control')) && !PRIVATE.test(path)
  if (!reply.ok || reply.redirected || !isKept) return
  const html = await reply.text()
  // Private pages are not for search engines either. Of those, the cart's HTML has nobody's data.
  if (/<meta name="robots"/.test(html) && !listMainPages(path).includes(path)) return
  for (const name of ['content-encoding', 'vary']) headers.delete(name)
  headers.set('x-release', release)
  await (storing = storing.then(() => store(path, html, headers)).catch(ignore))
}

/** One page after the other, because files that no stored page needs are deleted. */
let storing = Promise.resolve()
async function store(path, html, headers) {
  const files = await caches.open(FILES)
  headers.set('x-files', [...(await keepFiles(files, html))].join(' '))
  const pages = await put(PAGES, path, new Response(html, { headers }), 40)
  const needed = (await pages.matchAll()).map(page => page.headers.get('x-files')).join(' ')
  for (const file of await files.keys())
    if (!needed.includes(new URL(file.url).pathname)) await files.delete(file)
}

/** Also what the scripts import. Fails if one file can't be loaded. */
async function keepFiles(files, text, importer = '/', found = new Set()) {
  const names = text.match(/(?:\/_astro\/|["']\.\.?\/)[\w./@-]+\.\w+/g) ?? []
  const load = async name => {
    const { pathname } = new URL(name.replace(/^["']/, ''), location.origin + importer)
    if (found.has(pathname)) return
    found.add(pathname)
    const kept = await files.match(pathname, { ignoreVary: true })
    const reply = kept ?? (await fetch(pathname, { signal: AbortSignal.timeout?.(60 * SECOND) }))
    if (!reply.ok) throw new Error(`${pathname} is missing`)
    if (!kept) await files.put(pathname, reply.clone())
    if (/\.js$/.test(pathname)) await keepFiles(files, await reply.text(), pathname, found)
  }
  await Promise.all(names.map(load))
  return found
}

/** Deletes the oldest entries over `max`. */
async function put(name, key, reply, max = Infinity) {
  const cache = await caches.open(name)
  await cache.put(key, reply)
  for (const old of (await cache.keys()).slice(0, -max)) await cache.delete(old)
  return cache
}

// The owner's bell: `server/bell` sends { title, path, tag }.
self.addEventListener('push', event => {
  let message = {}
  try {
    message = event.data.json()
  } catch {
    // Browsers withdraw the permission if nothing is shown.
  }
  const { title = location.hostname, path = '/admin', tag = 'unknown' } = message
  const options = { tag, data: path, icon: '/apple-touch-icon.png', renotify: tag !== 'stock' }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', event => {
  event.notification.close()
  const wanted = new URL(event.notification.data, location.origin)
  const { href, pathname } =
    wanted.origin === location.origin ? wanted : new URL('/admin', location.origin)
  const open = async () => {
    const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const found = windows.find(({ url }) => new URL(url).pathname === pathname)
    if (!found) return self.clients.openWindow(href)
    await found.focus()
    if (found.url !== href) await found.navigate(href).catch(() => self.clients.openWindow(href))
  }
  event.waitUntil(open())
})
