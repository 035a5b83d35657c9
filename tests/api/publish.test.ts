import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { HOUR } from '#lib/time.ts'
import { planPublish, readSituation } from '#server/publishing/plan.ts'
import { publishSite, type PublishDeps } from '#server/publishing/publish.ts'
import { BuildError } from '#server/publishing/site-code.ts'
import { ENGINES } from '../support/database.ts'
import {
  makePage,
  openTestPublisher,
  SMALL_SITE,
  type TestPublisher,
  writeSite
} from '../support/test-publisher.ts'

const isStale = async (deps: PublishDeps) => planPublish(await readSituation(deps)) === 'render'

function publishAs(publisher: TestPublisher, changes: Partial<PublishDeps>): Promise<unknown> {
  const options = { signal: new AbortController().signal, warn: () => undefined }
  return publishSite({ ...publisher, ...changes }, options)
}

/** Reads a file of the live release. */
const read = ({ config }: TestPublisher, name: string) =>
  readFile(join(config.dataDir, 'current', name), 'utf8').catch(() => 'missing')

describe('Publishing', () => {
  test('builds into a new folder, switches the link "current" to it and deletes unfinished releases', async () => {
    const publisher = await openTestPublisher()
    const { dataDir } = publisher.config
    const leftover = join(dataDir, 'releases', '20200101-000000-abcdef.building')
    await mkdir(leftover, { recursive: true })
    await writeFile(join(leftover, 'index.html'), 'half')
    const id = await publisher.publishRelease()
    expect(await publisher.current()).toBe(`releases/${id}`)
    expect(await read(publisher, 'index.html')).toBe(SMALL_SITE['index.html'])
    expect((await readdir(dataDir)).sort()).toEqual(['code', 'current', 'releases'])
    expect(await readdir(join(dataDir, 'releases'))).toEqual([id])
  })

  test('reuses the built code after a content change and rebuilds the code if the API base changes', async () => {
    const publisher = await openTestPublisher('sqlite', { siteUrl: 'https://shop.example' })
    await publisher.publishRelease()
    await publisher.changeContent('second')
    await publisher.publishRelease()
    expect(publisher.builds).toEqual([
      expect.objectContaining({ siteUrl: 'https://shop.example', publicApiBase: '/api' })
    ])
    const config = { ...publisher.config, publicApiBase: 'https://api.example' }
    await publishAs(publisher, { config })
    expect(publisher.builds).toHaveLength(2)
    expect(await readdir(join(publisher.config.dataDir, 'code'))).toHaveLength(1)
  })

  test('is necessary after a change of the code or of a setting that affects the pages', async () => {
    const publisher = await openTestPublisher()
    await publisher.publishRelease()
    const provider = { apiBase: '', checkoutUrl: 'https://checkout.razorpay.com/v1/x.js' }
    for (const [isNecessary, changes] of [
      [true, { siteUrl: 'https://shop.example' }],
      [true, { publicApiBase: 'https://api.example' }],
      [true, { hasServiceWorker: false }],
      [true, { provider }],
      [false, { logLevel: 'warn' as const }]
    ] as const) {
      const config = { ...publisher.config, ...changes }
      expect(await isStale({ ...publisher, config }), JSON.stringify(changes)).toBe(isNecessary)
    }
    expect(await isStale({ ...publisher, version: async () => 'other code' })).toBe(true)
  })

  test('keeps the release before, for visitors who are reading it, and no others', async () => {
    const publisher = await openTestPublisher()
    const ids: string[] = []
    for (let count = 0; count < 4; count++) {
      ids.push(await publisher.publishRelease({ force: true }))
      publisher.clock.advance(2000)
    }
    expect(await readdir(join(publisher.config.dataDir, 'releases'))).toEqual(ids.slice(-2))
    expect(await publisher.current()).toBe(`releases/${ids.at(-1)}`)
  })

  test('keeps the scripts of older code for a day, for pages that are open in browsers', async () => {
    const publisher = await openTestPublisher()
    const publishCode = async (version: string) => {
      const { '_astro/shop.1a2b.js': _old, ...pages } = SMALL_SITE
      const script = { [`_astro/${version}.js`]: version }
      publisher.setFiles({ ...pages, '404.html': makePage('Oops! Page not found'), ...script })
      await publishAs(publisher, { version: async () => version })
      const { files = {} } = (await publisher.releases.current()) ?? {}
      return Object.keys(files).filter(name => name.startsWith('_astro/'))
    }
    await publishCode('v1')
    publisher.clock.advance(12 * HOUR)
    expect((await publishCode('v2')).sort()).toEqual(['_astro/v1.js', '_astro/v2.js'])
    publisher.clock.advance(23 * HOUR)
    expect(await publishCode('v3')).toHaveLength(3)
    publisher.clock.advance(HOUR)
    await publisher.changeContent('next')
    expect((await publishCode('v3')).sort()).toEqual(['_astro/v2.js', '_astro/v3.js'])
  })
})

test.for<[string, string, (publisher: TestPublisher, stop: AbortController) => void]>([
  [
    'the render process fails',
    'Failed to fetch products',
    ({ beforeRender }) =>
      beforeRender(async ({ folder }) => {
        await writeSite(folder, { 'index.html': 'half' })
        throw new BuildError('Rendering failed: Failed to fetch products', 'full output')
      })
  ],
  [
    'a link is broken',
    '/about links to /gone',
    ({ setFiles }) =>
      setFiles({ ...SMALL_SITE, 'about.html': makePage('About', '<a href="/gone">') })
  ],
  [
    'a main page is missing',
    'products.html is missing',
    ({ setFiles }) => {
      const { 'products.html': _, ...files } = SMALL_SITE
      setFiles({ ...files, 'index.html': makePage('Home') })
    }
  ],
  [
    'the shop stops',
    'The shop is shutting down',
    ({ beforeRender }, stop) =>
      beforeRender(async (_job, signal) => {
        stop.abort(new Error('The shop is shutting down'))
        await sleep(10_000, undefined, { signal }).catch(() => signal.throwIfAborted())
      })
  ]
])('The old release stays live and is followed by a new one if %s', async ([, reason, spoil]) => {
  const publisher = await openTestPublisher()
  const id = await publisher.publishRelease()
  await publisher.changeContent('second')
  const stop = new AbortController()
  spoil(publisher, stop)
  await expect(publisher.publish({ signal: stop.signal })).rejects.toThrow(reason)
  expect(await publisher.current()).toBe(`releases/${id}`)
  expect(await readdir(join(publisher.config.dataDir, 'releases'))).toEqual([id])
  publisher.beforeRender(async () => undefined)
  publisher.setFiles(SMALL_SITE)
  expect((await publisher.publish()).state).toBe('published')
})

describe.for(ENGINES)('Concurrent publishers on %s', engine => {
  test('run one after the other, and the second finds nothing to publish', async () => {
    const publisher = await openTestPublisher(engine)
    let rendering = 0
    const counts: number[] = []
    publisher.beforeRender(async () => {
      counts.push(++rendering)
      await sleep(50)
      rendering--
    })
    const outcomes = await Promise.all([publisher.publish(), publisher.publish()])
    expect(outcomes.map(({ state }) => state).sort()).toEqual(['fresh', 'published'])
    expect(counts).toEqual([1])
  })

  test('cannot switch the release after another process has taken the publish lock', async () => {
    const publisher = await openTestPublisher(engine)
    publisher.beforeRender(async () => {
      await publisher.write(trx => trx.updateTable('leases').set({ holder: 'another' }).execute())
    })
    await expect(publisher.publish()).rejects.toThrow(
      "Another process has taken the lock 'publish'"
    )
    expect(await publisher.current()).toBeUndefined()
  })
})

describe('Release', () => {
  test('has a content security policy per page, and warns of scripts that are not part of the code', async () => {
    const publisher = await openTestPublisher('sqlite', {
      siteUrl: 'https://shop.example',
      publicApiBase: 'https://api.shop.example/api'
    })
    publisher.setFiles({
      ...SMALL_SITE,
      'contact.html': makePage('Contact'),
      'blogs/story.html': makePage('Story', '<script>steal()</script>')
    })
    await publisher.publishRelease()
    const manifest = await publisher.releases.current()
    const policyOf = (name: string) => manifest?.policies[manifest.files[name]?.policy ?? -1] ?? ''
    expect(policyOf('index.html')).toMatch(/script-src 'self' 'sha256-/)
    expect(policyOf('products.html')).toContain("connect-src 'self' https://api.shop.example")
    expect(policyOf('blogs/story.html')).toContain("script-src 'self';")
    expect(publisher.warnings).toEqual([
      '/blogs/story contains an inline script that is not part of the site’s code'
    ])
    const headers = await read(publisher, '_headers')
    expect(headers).toContain(`/contact\n  content-security-policy: ${policyOf('contact.html')}\n`)
    expect(headers).toContain('strict-transport-security')
    expect(manifest?.headers).toHaveProperty('strict-transport-security')
  })
})

describe('A page that cannot be rendered', () => {
  const STORY = '/blogs/story'
  const STORY_FILE = 'blogs/story.html'
  const withStory = (text: string) => ({
    ...SMALL_SITE,
    'index.html': makePage(text, `<a href="${STORY}">Story</a>`),
    [STORY_FILE]: makePage(text, '<a href="/about">About</a>'),
    'about.html': makePage('About')
  })

  test('keeps its last version while all other pages go live, and is tried again by the next publish', async () => {
    const publisher = await openTestPublisher()
    const [first, second] = [withStory('first'), withStory('second')]
    publisher.setFiles(first)
    await publisher.publishRelease()
    publisher.setFiles(second)
    publisher.breakPages(STORY)
    await publisher.changeContent('second')
    await publisher.publishRelease()
    expect(await read(publisher, 'index.html')).toBe(second['index.html'])
    expect(await read(publisher, STORY_FILE)).toBe(first[STORY_FILE])
    // Its link to a page that no longer exists is no reason to keep the old release.
    publisher.setFiles({ ...SMALL_SITE, [STORY_FILE]: second[STORY_FILE] ?? '' })
    await publisher.publishRelease({ force: true })
    expect(await read(publisher, 'about.html')).toBe('missing')
    expect(await read(publisher, STORY_FILE)).toBe(first[STORY_FILE])
    const manifest = await publisher.releases.current()
    expect(manifest?.files[STORY_FILE]).toMatchObject({
      encodings: ['br'],
      policy: expect.any(Number)
    })
    expect(manifest?.failed).toEqual([STORY_FILE])
    expect(publisher.warnings[0]).toBe(`${STORY} could not be rendered`)

    publisher.setFiles(second)
    publisher.breakPages()
    await publisher.changeContent('third')
    await publisher.publishRelease()
    expect(await read(publisher, STORY_FILE)).toBe(second[STORY_FILE])
    expect((await publisher.releases.current())?.failed).toEqual([])
  })
})
