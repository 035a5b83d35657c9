import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base, expect, type Page } from 'playwright/test'

type Fault = (request: IncomingMessage, response: ServerResponse) => boolean

const noFault = () => false
const PAGES = ['/', '/products', '/cart', '/offline', '/about']
const PRIVATE_PAGES = ['/orders', '/admin', '/admin/orders', '/ta/admin']
const PICTURE = readFileSync('public/favicon.png')

function makePage(path: string, release: string) {
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

/** A site of a few pages, whose releases share no hashed file, in a browser. */
class Site {
  /** Only the hashed files of this release exist. */
  release = 'r1'
  worker: 'sw.js' | 'sw-off.js' = 'sw.js'
  /** Answers instead of the site, if it returns true. */
  fault: Fault = noFault
  url = ''
  readonly page: Page
  readonly server = createServer((request, response) => {
    if (!this.fault(request, response)) this.answer(request, response)
  })

  constructor(page: Page) {
    this.page = page
  }

  answer({ url = '/' }: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(url, this.url)
    const send = (type: string, content: string | Buffer, headers = {}, status = 200) =>
      void response
        .writeHead(status, { 'content-type': type, 'cache-control': 'no-cache', ...headers })
        .end(content)
    const sendPage = (headers = {}, status = 200) =>
      send('text/html', makePage(pathname, this.release), headers, status)
    const [, script = '', release = ''] = /^\/_astro\/(\w+)\.(\w+)\.js$/.exec(pathname) ?? []
    const source = release === this.release ? SCRIPTS[script] : undefined
    if (pathname === '/sw.js') return send('text/javascript', readFileSync(`public/${this.worker}`))
    if (pathname === '/release.txt') return send('text/plain', this.release)
    if (source) return send('text/javascript', source(release))
    if (pathname === '/assets/cake.png') return send('image/png', PICTURE)
    if (pathname.startsWith('/api/')) return send('text/html', 'the reply of the API')
    if (pathname === '/moved') return send('', '', { location: '/about' }, 308)
    if (pathname === '/unstored') return sendPage({ 'cache-control': 'no-store' })
    const isPage = [...PAGES, ...PRIVATE_PAGES].includes(pathname) || /^\/page-\d+$/.test(pathname)
    return sendPage({}, isPage ? 200 : 404)
  }

  async open(path: string) {
    await this.page.goto(this.url + path)
  }

  /** The page and its script are of the same release. */
  async expect(path: string, release: string, shown = path.replace(/[?#].*$/, '')) {
    await this.open(path)
    await expect(this.page).toHaveTitle(`${shown} ${release} with ${release}`)
  }

  kept() {
    return this.page.evaluate(async () => {
      const names = await caches.keys()
      const lists = await Promise.all(names.map(async name => (await caches.open(name)).keys()))
      return lists.flat().map(({ url }) => new URL(url).pathname)
    })
  }

  async expectKept(...paths: string[]) {
    const all = expect.arrayContaining(paths)
    await expect.poll(() => this.kept(), { timeout: 10_000 }).toEqual(all)
  }

  /** Opens pages and waits until the worker has kept them and the main pages. */
  async install(...paths: string[]) {
    await this.open('/')
    await this.expectKept('/', '/products', '/cart')
    for (const path of paths) await this.expect(path, 'r1')
    await this.expectKept(...paths)
  }

  /** The worker learns of it while it shows the page of the last release. */
  async publish(release: string) {
    const last = this.release
    this.release = release
    await this.expect('/', last)
    const read = () => this.page.evaluate(async () => (await caches.match('/release.txt'))?.text())
    await expect.poll(read).toBe(release)
  }
}

const test = base.extend<{ site: Site }>({
  serviceWorkers: 'allow',
  site: async ({ page }, use) => {
    const site = new Site(page)
    await once(site.server.listen(0, '127.0.0.1'), 'listening')
    site.url = `http://127.0.0.1:${(site.server.address() as AddressInfo).port}`
    await use(site)
    site.server.closeAllConnections()
    site.server.close()
  }
})

const goDown: Fault = request => {
  request.socket.destroy()
  return true
}

test.describe('The service worker', () => {
  test('opens kept pages without a network, and else a page that says so', async ({
    context,
    site
  }) => {
    await site.install('/about')
    await context.setOffline(true)
    for (const path of ['/', '/products?category=sweets', '/cart?order=1', '/about#team'])
      await site.expect(path, 'r1')
    for (const path of ['/orders', '/admin/orders', '/unknown', '/ta'])
      await site.expect(path, 'r1', '/offline')
    await site.expect('/about/', 'r1', '/about')
  })

  test('shows a new release from the next navigation on, and one that comes back', async ({
    page,
    site
  }) => {
    await site.install('/about')
    for (const [old, next] of [
      ['r1', 'r2'],
      ['r2', 'r1']
    ] as const) {
      await site.publish(next)
      // The server has lost the file, which is kept with its page.
      const load = 'window.load().then(({ name }) => name)'
      expect(await page.evaluate(load)).toBe(`lazy ${old}`)
      await site.expect('/about', next)
      await site.expect('/', next)
      await site.expectKept(`/_astro/lazy.${next}.js`)
      await expect.poll(() => page.evaluate(load)).toBe(`lazy ${next}`)
    }
  })

  test('never takes what the browser shows after Back for the new release', async ({
    page,
    site
  }) => {
    await site.install('/about')
    await site.publish('r2')
    await page.goBack()
    await expect(page).toHaveTitle(/^\/about (r\d) with \1$/)
    await site.open('/')
    await site.expect('/about', 'r2')
  })

  test('forgets a page that no longer exists', async ({ context, site }) => {
    await site.install('/about')
    await site.publish('r2')
    site.fault = ({ url }, response) => {
      if (url !== '/about') return false
      response.writeHead(404, { 'content-type': 'text/html' }).end('Not found')
      return true
    }
    await site.open('/about')
    await context.setOffline(true)
    await site.expect('/about', 'r1', '/offline')
  })

  test('keeps no page of which a script can’t be loaded', async ({ context, site }) => {
    await site.install()
    site.fault = ({ url }, response) => {
      if (!url?.includes('lazy')) return false
      response.writeHead(404).end()
      return true
    }
    await site.publish('r2')
    await site.expect('/', 'r2')
    await context.setOffline(true)
    await site.expect('/', 'r1')
  })

  for (const [name, fault] of Object.entries<Fault>({
    hangs: () => true,
    'has gone': goDown,
    fails: (_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('Bad Gateway')
      return true
    }
  }))
    test(`shows an older copy of a page if the server ${name}`, async ({ site }) => {
      await site.install()
      await site.publish('r2')
      site.fault = fault
      await site.expect('/', 'r1')
      site.fault = noFault
      site.server.closeAllConnections()
      await site.expect('/', 'r2')
    })

  test('keeps a page that arrives after an older copy is shown', async ({ site }) => {
    await site.install()
    await site.publish('r2')
    site.fault = (request, response) => {
      if (request.url === '/') setTimeout(() => site.answer(request, response), 4500)
      return request.url === '/'
    }
    await site.expect('/', 'r1')
    await site.expectKept('/_astro/lazy.r2.js')
    site.fault = goDown
    await site.expect('/', 'r2')
  })

  test('always shows a whole page while the network comes and goes', async ({ page, site }) => {
    await site.install()
    let count = 0
    // Scripts of a page that has just come from the network can fail like those of any page.
    site.fault = (request, response) =>
      !request.url?.includes('_astro') && ++count % 3 !== 0 && goDown(request, response)
    for (let round = 0; round < 12; round++) {
      if (round % 4 === 3) site.release = `r${round}`
      await site.open(['/', '/products', '/cart'][round % 3] ?? '')
      await expect(page).toHaveTitle(/^\/\w* (r\d+) with \1$/)
    }
  })

  test('asks the server again after a reload, and for pages seen from the administration', async ({
    page,
    site
  }) => {
    await site.install()
    site.release = 'r2'
    await page.reload()
    await expect(page).toHaveTitle('/ r2 with r2')
    site.release = 'r3'
    await site.open('/admin')
    await page.evaluate(() => location.assign('/products'))
    await expect(page).toHaveTitle('/products r3 with r3')
  })

  test('keeps no private pages, API replies, redirects or errors', async ({ page, site }) => {
    await site.install()
    for (const path of [...PRIVATE_PAGES, '/moved', '/unknown', '/unstored', '/about?token=1'])
      await site.open(path)
    for (const path of ['/api/orders', '/']) await site.open(path)
    await page.evaluate(async () => {
      for (const path of ['/api/products', '/orders', '/admin']) await fetch(path)
      await fetch('/about', { method: 'POST' })
    })
    await site.expectKept('/about')
    const kept = (await site.kept()).filter(path => !/^\/(?:_astro\/|ta)/.test(path))
    const expected = ['/', '/about', '/assets/cake.png', '/cart', '/offline', '/products']
    expect(kept.sort()).toEqual([...expected, '/release.txt'])
    const urls = await page.evaluate(async () =>
      (await (await caches.open('pages')).keys()).map(({ url }) => url)
    )
    expect(urls.join()).not.toContain('token')
  })

  test('keeps a limited number of pages, and no scripts of others', async ({ site }) => {
    await site.install()
    site.release = 'r2'
    for (let count = 1; count <= 45; count++) await site.open(`/page-${count}`)
    await site.expectKept('/page-45')
    for (const path of ['/', '/products', '/cart', '/offline']) await site.open(path)
    await expect.poll(() => site.kept()).not.toContain('/_astro/page.r1.js')
    const kept = await site.kept()
    expect(kept.filter(path => path.startsWith('/page-')).length).toBeLessThanOrEqual(40)
    expect(kept).toEqual(expect.arrayContaining(['/page-45', '/', '/cart', '/_astro/page.r2.js']))
  })

  test('opens pages without room to keep them', async ({ page, context, site }) => {
    await site.install()
    const devTools = await context.newCDPSession(page)
    const limit = { origin: site.url, quotaSize: 1 }
    await devTools.send('Storage.overrideQuotaForOrigin', limit)
    await site.expect('/about', 'r1')
    site.release = 'r2'
    await site.expect('/about', 'r2')
    expect(await site.kept()).not.toContain('/about')
    await site.expect('/', 'r1')
  })

  test('is removed with all it has kept by the script that takes its place', async ({
    page,
    site
  }) => {
    await site.install()
    site.worker = 'sw-off.js'
    site.release = 'r2'
    await site.open('/api/any')
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
    await expect.poll(() => site.kept()).toEqual([])
    const count = async () => (await navigator.serviceWorker.getRegistrations()).length
    await expect.poll(() => page.evaluate(count)).toBe(0)
    await site.open('/')
    await expect(page).toHaveTitle(/^\/ r2/)
  })
})
