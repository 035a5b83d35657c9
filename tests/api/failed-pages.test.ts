import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openTestPublisher, type TestPublisher } from '../support/test-publisher.ts'
import { makePage, SMALL_SITE, type SiteFiles } from '../support/releases.ts'

describe('A page that cannot be rendered', () => {
  const STORY = '/blogs/story'
  const STORY_FILE = 'blogs/story.html'
  const withStory = (text: string): SiteFiles => ({
    ...SMALL_SITE,
    'index.html': makePage(text, `<a href="${STORY}">Story</a>`),
    [STORY_FILE]: makePage(text, '<a href="/about">About</a>'),
    'about.html': makePage('About')
  })

  async function openBlog(): Promise<TestPublisher & { read: (name: string) => Promise<string> }> {
    const publisher = await openTestPublisher()
    const read = (name: string): Promise<string> =>
      readFile(join(publisher.config.dataDir, 'current', name), 'utf8').catch(() => 'missing')
    return { ...publisher, read }
  }

  test('keeps its last version while all other pages go live, and is tried again by the next publish', async () => {
    const { read, ...publisher } = await openBlog()
    publisher.setFiles(withStory('first'))
    await publisher.publishRelease()
    publisher.setFiles(withStory('second'))
    await publisher.changeContent('second')
    publisher.breakPages(STORY)
    const id = await publisher.publishRelease()
    expect([await read('index.html'), await read(STORY_FILE)]).toEqual([
      withStory('second')['index.html'],
      withStory('first')[STORY_FILE]
    ])
    expect(
      brotliDecompressSync(
        await readFile(join(publisher.config.dataDir, 'releases', id, `${STORY_FILE}.br`))
      ).toString()
    ).toBe(await read(STORY_FILE))
    const manifest = await publisher.releases.current()
    expect(manifest?.files[STORY_FILE]?.policy).toBeDefined()
    expect(manifest?.failed).toEqual([STORY_FILE])
    expect(publisher.warnings).toEqual([`${STORY} could not be rendered`])

    publisher.breakPages()
    await publisher.changeContent('third')
    await publisher.publishRelease()
    expect(await read(STORY_FILE)).toBe(withStory('second')[STORY_FILE])
    expect((await publisher.releases.current())?.failed).toEqual([])
  })

  test('keeps its last version if all pages are rendered again', async () => {
    const { read, ...publisher } = await openBlog()
    publisher.setFiles(withStory('first'))
    await publisher.publishRelease()
    publisher.setFiles(withStory('second'))
    publisher.breakPages(STORY)
    await publisher.publishRelease({ force: true })
    expect([await read('index.html'), await read(STORY_FILE)]).toEqual([
      withStory('second')['index.html'],
      withStory('first')[STORY_FILE]
    ])
  })

  test('is left out if it is new, although other pages link to it', async () => {
    const { read, ...publisher } = await openBlog()
    await publisher.publishRelease()
    publisher.setFiles(withStory('first'))
    publisher.breakPages(STORY)
    await publisher.changeContent('second')
    await publisher.publishRelease()
    expect([await read('index.html'), await read(STORY_FILE)]).toEqual([
      withStory('first')['index.html'],
      'missing'
    ])
    expect(await read('sitemap-0.xml')).toContain('/about<')
    expect(await read('sitemap-0.xml')).not.toContain(STORY)

    publisher.breakPages()
    await publisher.changeContent('third')
    await publisher.publishRelease()
    expect(await read(STORY_FILE)).toBe(withStory('first')[STORY_FILE])
    expect(await read('sitemap-0.xml')).toContain(STORY)
  })

  test('may link to a page that no longer exists', async () => {
    const { read, ...publisher } = await openBlog()
    publisher.setFiles(withStory('first'))
    await publisher.publishRelease()
    const { 'about.html': _, ...files } = withStory('second')
    publisher.setFiles(files)
    publisher.breakPages(STORY)
    await publisher.changeContent('second')
    await publisher.publishRelease()
    expect([await read('about.html'), await read(STORY_FILE)]).toEqual([
      'missing',
      withStory('first')[STORY_FILE]
    ])
  })

  test('is no longer named after it was deleted', async () => {
    const { read, ...publisher } = await openBlog()
    publisher.setFiles(withStory('first'))
    publisher.breakPages(STORY)
    await publisher.publishRelease()
    publisher.setFiles(SMALL_SITE)
    await publisher.changeContent('second')
    await publisher.publishRelease()
    expect(await read(STORY_FILE)).toBe('missing')
    expect((await publisher.releases.current())?.failed).toEqual([])
  })

  test('makes the publish fail if the website cannot be without the page', async () => {
    const { read, ...publisher } = await openBlog()
    publisher.breakPages('/products')
    await expect(publisher.publish()).rejects.toThrow('/products could not be rendered')
    expect(await read('index.html')).toBe('missing')
  })
})
