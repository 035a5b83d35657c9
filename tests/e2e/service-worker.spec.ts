import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base, expect, type Page } from 'playwright/test'

interface Site {
  url: string
  /** Only the hashed files of this release exist. */
  release: string
  worker: 'sw.js' | 'sw-off.js'
  /** Answers instead of the site, if it returns true. */
  fault: (request: IncomingMessage, response: ServerResponse) => boolean
  disconnect: () => void
}

const noFault = (): boolean => false
const PAGES = ['/', '/products', '/cart', '/offline', '/about', '/ta', '/ta/offline']
const PRIVATE_PAGES = ['/orders', '/admin', '/admin/orders', '/ta/admin']

function makePage(path: string, release: string): string {
  const isHidden = [...PRIVATE_PAGES, '/cart', '/offline'].includes(path)
  return `<!doctype html><html><head><title>${path} ${release}</title>
    ${isHidden ? '<meta name="robots" content="noindex">' : ''}
    <script type="module" src="/_astro/page.${release}.js"></script></head>
    <body><img src="/assets/cake.png"></body></html>`
}

const SCRIPTS: Record<string, (release: string) => string> = {
  page: release =>
    `import { name } from "./shared.${release}.js"
     document.title += ' ' + name
     window.load = () => import("./lazy.${release}.js")
     navigator.serviceWorker.register('/sw.js')
     navigator.serviceWorker.ready.then(({ active }) => active.postMessage(''))`,
  shared: release => `export const name = 'with ${release}'`,
  lazy: release => `export const name = 'lazy ${release}'`
}

/** A site of a few pages, whose releases share no hashed file. */
const test = base.extend<{ site: Site }>({
  serviceWorkers: 'allow',
  site: async ({}, use) => {
    const server = createServer((request, response) => {
      if (!site.fault(request, response)) answer(site, request, response)
    }).listen(0, '127.0.0.1')
    const disconnect = (): void => server.closeAllConnections()
    const site: Site = { url: '', release: 'r1', worker: 'sw.js', fault: noFault, disconnect }
    await once(server, 'listening')
    site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await use(site)
    disconnect()
    server.close()
  }
})

function answer(site: Site, { url = '/' }: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(url, site.url)
  const send = (type: string, content: string | Buffer, headers = {}, status = 200): void =>
    void response
      .writeHead(status, { 'content-type': type, 'cache-control': 'no-cache', ...headers })
      .end(content)
  const [, script = '', release = ''] = /^\/_astro\/(\w+)\.(\w+)\.js$/.exec(pathname) ?? []
  const source = release === site.release ? SCRIPTS[script] : undefined
  if (pathname === '/sw.js') return send('text/javascript', readFileSync(`public/${site.worker}`))
  if (pathname === '/release.txt') return send('text/plain', site.release)
  if (source) return send('text/javascript', source(release))
  if (pathname === '/assets/cake.png') return send('image/png', readFileSync('public/favicon.png'))
  if (pathname.startsWith('/api/')) return send('text/html', 'the reply of the API')
  if (pathname === '/moved') return send('', '', { location: '/about' }, 308)
  if (pathname === '/unstored')
    return send('text/html', makePage(pathname, site.release), { 'cache-control': 'no-store' })
  const isPage = [...PAGES, ...PRIVATE_PAGES].includes(pathname) || /^\/page-\d+$/.test(pathname)
  return send('text/html', makePage(pathname, site.release), {}, isPage ? 200 : 404)
}

function listKept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys()
    const lists = await Promise.all(names.map(async name => (await caches.open(name)).keys()))
    return lists.flat().map(({ url }) => new URL(url).pathname)
  })
}

/** Opens a page and waits until the worker has kept it and the main pages. */
async function install(page: Page, { url }: Site, path = '/'): Promise<void> {
  await page.goto(url + path)
  const main = path.startsWith('/ta') ? ['/ta', '/ta/offline'] : ['/', '/products', '/cart']
  await expect.poll(() => listKept(page)).toEqual(expect.arrayContaining([...main, path]))
}

/** The page and its script are of the same release. */
async function expectPage(page: Page, { url }: Site, path: string, release: string) {
  await page.goto(url + path)
  const shown = path.replace(/[?#].*$/, '')
  await expect(page).toHaveTitle(`${shown} ${release} with ${release}`)
}

/** Waits until the worker knows of the live release. */
async function waitForUpdate(page: Page, { release }: Site): Promise<void> {
  const read = (): Promise<string | undefined> =>
    page.evaluate(async () => (await caches.match('/release.txt'))?.text())
  await expect.poll(read).toBe(release)
}

const goDown = (request: IncomingMessage): boolean => {
  request.socket.destroy()
  return true
}

test.describe('The service worker', () => {
  test('opens kept pages without a network, and else a page that says so', async ({
    page,
    context,
    site
  }) => {
    await install(page, site)
    await expectPage(page, site, '/about', 'r1')
    await expect.poll(() => listKept(page)).toContain('/about')
    await context.setOffline(true)
    for (const path of ['/', '/products?category=sweets', '/cart?order=1', '/about#team'])
      await expectPage(page, site, path, 'r1')
    for (const path of ['/orders', '/admin/orders', '/unknown', '/ta']) {
      await page.goto(site.url + path)
      await expect(page).toHaveTitle('/offline r1 with r1')
    }
    await page.goto(`${site.url}/about/`)
    await expect(page).toHaveTitle('/about r1 with r1')
  })

  test('keeps pages apart by language', async ({ page, context, site }) => {
    await install(page, site, '/ta')
    await context.setOffline(true)
    await expectPage(page, site, '/ta', 'r1')
    await page.goto(`${site.url}/ta/orders`)
    await expect(page).toHaveTitle('/ta/offline r1 with r1')
  })

  test('shows a new release from the next navigation on, and one that comes back', async ({
    page,
    site
  }) => {
    await install(page, site)
    await expectPage(page, site, '/about', 'r1')
    await expect.poll(() => listKept(page)).toContain('/about')
    for (const [old, next] of [
      ['r1', 'r2'],
      ['r2', 'r1']
    ] as const) {
      site.release = next
      await expectPage(page, site, '/', old)
      // The server has lost the file, which is kept with its page.
      const load = 'window.load().then(({ name }) => name)'
      expect(await page.evaluate(load)).toBe(`lazy ${old}`)
      await waitForUpdate(page, site)
      await expectPage(page, site, '/about', next)
      await expectPage(page, site, '/', next)
      await expect.poll(() => listKept(page)).toContain(`/_astro/lazy.${next}.js`)
      await expect.poll(async () => (await page.evaluate(load)) === `lazy ${next}`).toBe(true)
    }
  })

  test('never takes what the browser shows after Back for the new release', async ({
    page,
    site
  }) => {
    await install(page, site)
    await expectPage(page, site, '/about', 'r1')
    await expect.poll(() => listKept(page)).toContain('/about')
    site.release = 'r2'
    await expectPage(page, site, '/', 'r1')
    await waitForUpdate(page, site)
    await page.goBack()
    await expect(page).toHaveTitle(/^\/about (r\d) with \1$/)
    await page.goto(site.url)
    await expectPage(page, site, '/about', 'r2')
  })

  test('keeps no page of which a script can’t be loaded', async ({ page, context, site }) => {
    await install(page, site)
    site.release = 'r2'
    site.fault = ({ url }, response) => {
      if (!url?.includes('lazy')) return false
      response.writeHead(404).end()
      return true
    }
    await expectPage(page, site, '/', 'r1')
    await waitForUpdate(page, site)
    await expectPage(page, site, '/', 'r2')
    await context.setOffline(true)
    await expectPage(page, site, '/', 'r1')
  })

  for (const [name, fault] of [
    ['hangs', () => true],
    ['has gone', goDown],
    [
      'fails',
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(502, { 'content-type': 'text/html' }).end('Bad Gateway')
        return true
      }
    ]
  ] as const)
    test(`shows an older copy of a page if the server ${name}`, async ({ page, site }) => {
      await install(page, site)
      site.release = 'r2'
      await expectPage(page, site, '/', 'r1')
      await waitForUpdate(page, site)
      site.fault = fault
      await expectPage(page, site, '/', 'r1')
      site.fault = noFault
      site.disconnect()
      await expectPage(page, site, '/', 'r2')
    })

  test('keeps a page that arrives after an older copy is shown', async ({ page, site }) => {
    await install(page, site)
    site.release = 'r2'
    await expectPage(page, site, '/', 'r1')
    await waitForUpdate(page, site)
    site.fault = (request, response) => {
      if (request.url === '/') setTimeout(() => answer(site, request, response), 4500)
      return request.url === '/'
    }
    await expectPage(page, site, '/', 'r1')
    await expect.poll(() => listKept(page), { timeout: 10_000 }).toContain('/_astro/lazy.r2.js')
    site.fault = goDown
    await expectPage(page, site, '/', 'r2')
  })

  test('always shows a whole page while the network comes and goes', async ({ page, site }) => {
    await install(page, site)
    let count = 0
    // Scripts of a page that has just come from the network can fail like those of any page.
    site.fault = request => !request.url?.includes('_astro') && ++count % 3 !== 0 && goDown(request)
    for (let round = 0; round < 12; round++) {
      if (round % 4 === 3) site.release = `r${round}`
      await page.goto(`${site.url}${['/', '/products', '/cart'][round % 3]}`)
      await expect(page).toHaveTitle(/^\/\w* (r\d+) with \1$/)
    }
  })

  test('asks the server again after a reload, and for pages seen from the administration', async ({
    page,
    site
  }) => {
    await install(page, site)
    site.release = 'r2'
    await page.reload()
    await expect(page).toHaveTitle('/ r2 with r2')
    site.release = 'r3'
    await page.goto(`${site.url}/admin`)
    await page.evaluate(() => location.assign('/products'))
    await expect(page).toHaveTitle('/products r3 with r3')
  })

  test('keeps no private pages, API replies, redirects or errors', async ({ page, site }) => {
    await install(page, site)
    for (const path of [...PRIVATE_PAGES, '/moved', '/unknown', '/unstored', '/about?token=1'])
      await page.goto(site.url + path)
    await page.goto(`${site.url}/api/orders`)
    await page.goto(site.url)
    await page.evaluate(async () => {
      for (const path of ['/api/products', '/orders', '/admin']) await fetch(path)
      await fetch('/about', { method: 'POST' })
    })
    await expect.poll(() => listKept(page)).toContain('/about')
    const kept = (await listKept(page)).filter(path => !/^\/(?:_astro\/|ta)/.test(path))
    const expected = ['/', '/about', '/assets/cake.png', '/cart', '/offline', '/products']
    expect(kept.sort()).toEqual([...expected, '/release.txt'])
    const urls = await page.evaluate(async () =>
      (await (await caches.open('pages')).keys()).map(({ url }) => url)
    )
    expect(urls.join()).not.toContain('token')
  })

  test('keeps a limited number of pages, and no scripts of others', async ({ page, site }) => {
    await install(page, site)
    site.release = 'r2'
    for (let count = 1; count <= 45; count++) await page.goto(`${site.url}/page-${count}`)
    await expect.poll(() => listKept(page)).toContain('/page-45')
    for (const path of ['/', '/products', '/cart', '/offline']) await page.goto(site.url + path)
    await expect.poll(() => listKept(page)).not.toContain('/_astro/page.r1.js')
    const kept = await listKept(page)
    expect(kept.filter(path => path.startsWith('/page-')).length).toBeLessThanOrEqual(40)
    expect(kept).toEqual(expect.arrayContaining(['/page-45', '/', '/cart', '/_astro/page.r2.js']))
  })

  test('opens pages without room to keep them', async ({ page, context, site }) => {
    await install(page, site)
    const devTools = await context.newCDPSession(page)
    const limit = { origin: site.url, quotaSize: 1 }
    await devTools.send('Storage.overrideQuotaForOrigin', limit)
    await expectPage(page, site, '/about', 'r1')
    site.release = 'r2'
    await expectPage(page, site, '/about', 'r2')
    expect(await listKept(page)).not.toContain('/about')
    await expectPage(page, site, '/', 'r1')
  })

  test('is removed with all it has kept by the script that takes its place', async ({
    page,
    site
  }) => {
    await install(page, site)
    site.worker = 'sw-off.js'
    site.release = 'r2'
    await page.goto(`${site.url}/api/any`)
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
    await expect.poll(() => listKept(page)).toEqual([])
    await expect
      .poll(() =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
      )
      .toBe(0)
    await page.goto(site.url)
    await expect(page).toHaveTitle(/^\/ r2/)
  })
})
