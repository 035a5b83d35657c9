import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { isStale, publishSite } from '#server/actions/publish-site.ts'
import { BuildError } from '#server/gateways/site-builder.ts'
import { ENGINES } from '../support/database.ts'
import { openPress, type Press } from '../support/press.ts'
import { page, SMALL_SITE, writeSite, type SiteFiles } from '../support/releases.ts'

describe('publishing', () => {
  test('builds into a new folder and switches to it by one link', async () => {
    const press = await openPress()
    const id = await press.published()
    expect(await press.current()).toBe(`releases/${id}`)
    expect((await press.releases.current())?.id).toBe(id)
    const { dataDir } = press.config
    expect(await readFile(join(dataDir, 'current', 'index.html'), 'utf8')).toBe(SMALL_SITE['index.html'])
    expect((await readdir(dataDir)).sort()).toEqual(['code', 'current', 'releases'])
  })

  test('builds the code once, for its address and its API, and again when one of them changes', async () => {
    const press = await openPress('sqlite', { siteUrl: 'https://shop.example' })
    await press.published()
    await press.change('second')
    await press.published()
    expect(press.builds).toEqual([expect.objectContaining({ siteUrl: 'https://shop.example', publicApiBase: '/api' })])
    const config = { ...press.config, publicApiBase: 'https://api.example' }
    await publishSite({ ...press, config }, { signal: new AbortController().signal, warn: () => undefined })
    expect(press.builds).toHaveLength(2)
    expect(await readdir(join(press.config.dataDir, 'code'))).toHaveLength(1)
  })

  test('does nothing while nothing has changed, unless it is told to', async () => {
    const press = await openPress()
    const first = await press.published()
    expect(await isStale(press)).toBe(false)
    expect(await press.publish()).toEqual({ state: 'fresh' })
    expect(await press.published({ force: true })).not.toBe(first)
    await press.change('second')
    expect(await isStale(press)).toBe(true)
    expect((await press.publish()).state).toBe('published')
  })

  test('is due again when the code or a setting of the pages has changed', async () => {
    const press = await openPress()
    await press.published()
    expect(await isStale({ ...press, version: async () => 'other code' })).toBe(true)
    expect(await isStale({ ...press, config: { ...press.config, siteUrl: 'https://shop.example' } })).toBe(true)
    expect(await isStale({ ...press, config: { ...press.config, publicApiBase: 'https://api.example' } })).toBe(true)
    const keys = { keyId: 'rzp_test_1', keySecret: 'secret', webhookSecrets: ['secret'] }
    const provider = {
      apiBase: 'https://api.razorpay.com/v1',
      checkoutUrl: 'https://checkout.razorpay.com/v1/checkout.js'
    }
    const razorpay = { ...keys, ...provider }
    expect(await isStale({ ...press, config: { ...press.config, razorpay } })).toBe(true)
    expect(await isStale({ ...press, config: { ...press.config, logLevel: 'warn' } })).toBe(false)
  })

  test('keeps five releases, the current one among them', async () => {
    const press = await openPress()
    const ids: string[] = []
    for (let count = 0; count < 7; count++) {
      ids.push(await press.published({ force: true }))
      press.clock.advance(2000)
    }
    expect(await press.store.ids()).toEqual(ids.slice(2).reverse())
    expect(await press.current()).toBe(`releases/${ids.at(-1)}`)
  })
})

describe('a publish that fails', () => {
  async function expectOldRelease(press: Press, id: string): Promise<void> {
    expect(await press.current()).toBe(`releases/${id}`)
    expect(await readdir(join(press.config.dataDir, 'releases'))).toEqual([id])
    press.shows(SMALL_SITE)
    expect((await press.publish()).state).toBe('published')
  }

  test('because a page can not be rendered leaves the old release serving, says why, and can be repeated', async () => {
    const press = await openPress()
    const id = await press.published()
    await press.change('second')
    press.before(async ({ folder }) => {
      await writeSite(folder, { 'index.html': 'half' })
      throw new BuildError('The pages could not be rendered: Failed to fetch products', 'all that it said')
    })
    await expect(press.publish()).rejects.toThrow('Failed to fetch products')
    press.before(async () => undefined)
    await expectOldRelease(press, id)
  })

  test.for([
    ['a page is missing', { ...SMALL_SITE, 'products.html': undefined }, 'products.html is missing'],
    [
      'a link leads nowhere',
      { ...SMALL_SITE, 'about.html': page('About', '<a href="/gone">') },
      '/about refers to /gone'
    ]
  ] as const)('because %s leaves the old release serving', async ([, files, reason]) => {
    const press = await openPress()
    const id = await press.published()
    await press.change('second')
    press.shows(Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined)) as SiteFiles)
    await expect(press.publish()).rejects.toThrow(reason)
    await expectOldRelease(press, id)
  })

  test('because it is stopped leaves the old release serving', async () => {
    const press = await openPress()
    const id = await press.published()
    await press.change('second')
    const stop = new AbortController()
    press.before(async (_job, signal) => {
      stop.abort(new Error('The shop closes'))
      await sleep(10_000, undefined, { signal }).catch(() => signal.throwIfAborted())
    })
    await expect(press.publish({ signal: stop.signal })).rejects.toThrow('The shop closes')
    press.before(async () => undefined)
    await expectOldRelease(press, id)
  })

  test('because its process was killed is cleared away by the next one', async () => {
    const press = await openPress()
    const left = join(press.config.dataDir, 'releases', '20200101-000000-abcdef.building')
    await mkdir(left, { recursive: true })
    await writeFile(join(left, 'index.html'), 'half')
    const id = await press.published()
    expect(await readdir(join(press.config.dataDir, 'releases'))).toEqual([id])
  })
})

describe.for(ENGINES)('two publishers on %s', engine => {
  test('work one after the other, and the second finds nothing left to do', async () => {
    const press = await openPress(engine)
    let rendering = 0
    let most = 0
    let renders = 0
    press.before(async () => {
      most = Math.max(most, ++rendering)
      renders++
      await sleep(100)
      rendering--
    })
    const outcomes = await Promise.all([press.publish(), press.publish()])
    expect(outcomes.map(({ state }) => state).sort()).toEqual(['fresh', 'published'])
    expect({ most, renders }).toEqual({ most: 1, renders: 1 })
  })

  test('can not both switch: who lost its turn to another gives up', async () => {
    const press = await openPress(engine)
    press.before(async () => {
      await press.write(trx =>
        trx
          .updateTable('leases')
          .set({ holder: 'another' })
          .execute()
          .then(() => undefined)
      )
    })
    await expect(press.publish()).rejects.toThrow('Another process has taken over the publishing')
    expect(await press.current()).toBeUndefined()
  })
})

describe('a release', () => {
  test('holds each page and script compressed, where that is smaller', async () => {
    const press = await openPress()
    const picture = Buffer.from([0xff, 0xd8, 0xff, 0xe0])
    press.shows({ ...SMALL_SITE, 'icon.png': picture, 'tiny.txt': 'a' })
    const id = await press.published()
    const read = (name: string): Promise<Buffer> => readFile(join(press.store.folder(id), name))
    for (const name of ['index.html', '_astro/shop.1a2b.js']) {
      expect(brotliDecompressSync(await read(`${name}.br`)).toString()).toBe(SMALL_SITE[name])
      expect(gunzipSync(await read(`${name}.gz`)).toString()).toBe(SMALL_SITE[name])
    }
    const manifest = await press.store.manifest(id)
    expect(manifest?.files['index.html']?.encodings).toEqual(['br', 'gzip'])
    expect(manifest?.files['icon.png']?.encodings).toEqual([])
    expect(manifest?.files['tiny.txt']?.encodings).toEqual([])
  })

  test('knows the policy of each of its pages, and writes it for CDN hosts', async () => {
    const press = await openPress('sqlite', {
      siteUrl: 'https://shop.example',
      publicApiBase: 'https://api.shop.example/api'
    })
    press.shows({ ...SMALL_SITE, 'contact.html': page('Contact', '<style>b{}</style>') })
    const id = await press.published()
    const manifest = await press.store.manifest(id)
    const policyOf = (name: string): string => manifest?.policies[manifest.files[name]?.policy ?? -1] ?? ''
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64')
    expect(policyOf('index.html')).toContain(`script-src 'self' 'sha256-${hash('console.log("Vanakkam")')}'`)
    expect(policyOf('contact.html')).toContain(`style-src 'self' 'sha256-${hash('b{}')}'`)
    expect(policyOf('contact.html')).toContain('frame-src https://www.openstreetmap.org')
    expect(policyOf('products.html')).toContain("connect-src 'self' https://api.shop.example")

    const headers = await readFile(join(press.store.folder(id), '_headers'), 'utf8')
    expect(headers).toContain(`/contact\n  content-security-policy: ${policyOf('contact.html')}\n`)
    expect(headers).toContain('strict-transport-security')
    expect(manifest?.headers).toHaveProperty('strict-transport-security')
  })
})
