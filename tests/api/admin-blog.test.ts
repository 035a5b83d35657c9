import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminPost, PostSummary } from '#lib/contract/content.ts'
import { DAY } from '#lib/time.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { statusAndCode } from '../support/accounts.ts'
import { openAdminBlog, PONGAL } from '../support/admin-posts.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply, Shop } from '../support/shop.ts'

const ID = 'pongal-sweet-and-salt'
const postOf = ({ body }: Reply): AdminPost => body as AdminPost
const fieldsOf = ({ body }: Reply): unknown => (body as { fields?: unknown }).fields
const readCatalogVersion = ({ database }: Shop): Promise<number> =>
  readCounter(database.kysely, 'catalog')

describe('POST /admin/posts', () => {
  test('gives the post a slug and publishes the post above older ones', async () => {
    const shop = await openAdminBlog('sqlite')
    const versionBefore = await readCatalogVersion(shop)
    const reply = await shop.createPost()
    expect([reply.status, postOf(reply)]).toEqual([
      201,
      expect.objectContaining({
        id: ID,
        version: 1,
        hiddenAt: null,
        image: '',
        createdAt: '2026-11-21T04:00:00.000Z'
      })
    ])
    expect(await readCatalogVersion(shop)).toBeGreaterThan(versionBefore)
    const { title, author, excerpt, content } = PONGAL
    expect((await shop.publicPosts())[0]).toMatchObject({
      _id: ID,
      title,
      author,
      excerpt,
      content
    })
    expect((await shop.publicPosts()).map(({ id }) => id)).toEqual([ID, 'story'])
    expect(await shop.history(ID)).toEqual([
      expect.stringMatching(/^created null .*"hidden":false/)
    ])
  })

  test('names each invalid field', async () => {
    const shop = await openAdminBlog('sqlite')
    const picture = { key: 'laddu-00000000', alt: ' ' }
    const wrong = {
      title: ' ',
      author: '',
      excerpt: 'x'.repeat(201),
      content: '\n',
      day: '2026-02-30',
      picture
    }
    const reply = await shop.createPost(wrong)
    expect(statusAndCode(reply)).toBe('400 INVALID_INPUT')
    expect(fieldsOf(reply)).toEqual({
      title: 'Please enter a title',
      author: 'Please enter the author',
      excerpt: expect.stringMatching(/200/),
      content: 'Please write the post',
      day: 'Please choose today or an earlier date',
      'picture.alt': 'Please describe the picture'
    })
    expect(fieldsOf(await shop.createPost({ day: '2026-11-22' }))).toEqual({
      day: expect.stringMatching(/today/)
    })
    const unknown = { key: 'nothing-12345678', alt: 'Nothing' }
    expect(fieldsOf(await shop.createPost({ picture: unknown }))).toEqual({
      picture: expect.stringMatching(/add it again/)
    })
    expect(statusAndCode(await shop.createPost({ content: 'x'.repeat(20_001) }))).toBe(
      '400 INVALID_INPUT'
    )
    expect((await shop.createPost({ content: 'க'.repeat(20_000) })).status).toBe(201)
  })

  test('stores an alt text for a picture and does not change the alt text of the same picture at a product', async () => {
    const shop = await openAdminBlog('sqlite')
    await shop.createPost({ picture: { key: 'laddu-00000000', alt: 'A laddu beside the pot' } })
    expect((await shop.publicPosts())[0]?.picture).toMatchObject({
      key: 'laddu-00000000',
      alt: 'A laddu beside the pot'
    })
    expect((await shop.get('/products/laddu')).body).toMatchObject({
      pictures: [{ alt: 'A plate' }]
    })
    await shop.changePost(ID, { version: 1, picture: null })
    expect((await shop.publicPosts())[0]).toMatchObject({ image: '' })
    expect((await shop.publicPosts())[0]).not.toHaveProperty('picture')
  })
})

describe.each(ENGINES)('POST /admin/posts on %s', engine => {
  test('uses the given slug, or else an unused slug derived from the title', async () => {
    const shop = await openAdminBlog(engine)
    expect(postOf(await shop.createPost({ slug: 'pongal' })).id).toBe('pongal')
    expect(postOf(await shop.createPost()).id).toBe(ID)
    expect(postOf(await shop.createPost()).id).toBe(`${ID}-2`)
    expect(postOf(await shop.createPost({ title: 'பொங்கல்' })).id).toBe('post')
    expect(fieldsOf(await shop.createPost({ slug: 'pongal' }))).toEqual({
      slug: expect.stringMatching(/already uses this address/)
    })
    for (const slug of ['Pongal', 'a/b', '../x', 'a b', '-a', '', 'x'.repeat(81)])
      expect(fieldsOf(await shop.createPost({ slug })), slug).toEqual({
        slug: expect.stringMatching(/lowercase letters/)
      })
  })

  test('creates one post for parallel requests with the same key, and a later request with this key updates the post', async () => {
    const shop = await openAdminBlog(engine)
    const key = randomUUID()
    const replies = await Promise.all([
      shop.createPost({ key }),
      shop.createPost({ key }),
      shop.createPost({ key })
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(replies.map(reply => postOf(reply).id))).toEqual(new Set([ID]))
    expect(postOf(await shop.createPost({ key, title: 'Pongal' }))).toMatchObject({
      id: ID,
      title: 'Pongal'
    })
    expect(statusAndCode(await shop.createPost({ key, title: 'Something else' }))).toBe(
      '409 EDIT_CONFLICT'
    )
  })
})

describe('PATCH /admin/posts/{id}', () => {
  test('changes only the given fields and records them in the audit log', async () => {
    const shop = await openAdminBlog('sqlite')
    const postBefore = await shop.fetchPost('story')
    const versionBefore = await readCatalogVersion(shop)
    const change = { version: 1, title: 'Another story', day: '2026-01-01', content: 'Once.' }
    expect(postOf(await shop.changePost('story', change))).toEqual({
      ...postBefore,
      title: 'Another story',
      version: 2
    })
    expect(await shop.history('story')).toEqual([
      'changed {"title":"A story"} {"title":"Another story"}'
    ])
    expect(await readCatalogVersion(shop)).toBeGreaterThan(versionBefore)
    expect(await shop.publicPosts()).toEqual([
      expect.objectContaining({ id: 'story', title: 'Another story' })
    ])
  })

  test('refuses an unknown post or a missing version', async () => {
    const shop = await openAdminBlog('sqlite')
    for (const line of [
      'GET /admin/posts/x',
      'DELETE /admin/posts/x?version=1',
      'PATCH /admin/posts/x'
    ])
      expect(
        statusAndCode(
          await shop.callAsAdmin(line, line.startsWith('PATCH') ? { version: 1 } : undefined)
        ),
        line
      ).toBe('404 POST_NOT_FOUND')
    expect(statusAndCode(await shop.changePost('story', { title: 'No version' }))).toBe(
      '400 INVALID_INPUT'
    )
  })
})

describe.each(ENGINES)('PATCH /admin/posts/{id} on %s', engine => {
  test('refuses an outdated version unless the post already has the new values', async () => {
    const shop = await openAdminBlog(engine)
    const titles = ['One', 'Two', 'Three']
    const replies = await Promise.all(
      titles.map(title => shop.changePost('story', { version: 1, title }))
    )
    expect(replies.map(statusAndCode).sort()).toEqual([
      '200',
      '409 EDIT_CONFLICT',
      '409 EDIT_CONFLICT'
    ])
    const { title } = await shop.fetchPost('story')
    expect(postOf(await shop.changePost('story', { version: 1, title }))).toMatchObject({
      title,
      version: 2
    })
    expect(await shop.history('story')).toHaveLength(1)
  })

  test('moves a post in the list when its date changes', async () => {
    const shop = await openAdminBlog(engine)
    await shop.createPost()
    shop.clock.advance(2 * DAY)
    await shop.changePost('story', { version: 1, day: '2026-11-22' })
    expect((await shop.publicPosts()).map(({ id, createdAt }) => [id, createdAt])).toEqual([
      ['story', '2026-11-21T18:30:00.000Z'],
      [ID, '2026-11-21T04:00:00.000Z']
    ])
    expect(
      fieldsOf(await shop.changePost('story', { version: 2, day: '2026-11-24' }))
    ).toHaveProperty('day')
  })
})

describe('A text that the website can’t render', () => {
  const NESTED = `${'>'.repeat(2000)} Rice`

  test('is refused when it is saved or previewed, and the stored post stays as it was', async () => {
    const shop = await openAdminBlog('sqlite')
    for (const reply of [
      await shop.createPost({ content: NESTED }),
      await shop.createPost({ content: NESTED, hidden: true }),
      await shop.changePost('story', { version: 1, content: NESTED }),
      await shop.callAsAdmin('POST /admin/posts/preview', { content: NESTED })
    ]) {
      expect(statusAndCode(reply)).toBe('422 TEXT_NOT_RENDERABLE')
      expect(fieldsOf(reply)).toEqual({ content: expect.stringMatching(/in one place/) })
    }
    expect((await shop.publicPosts()).map(({ id, content }) => [id, content])).toEqual([
      ['story', 'Once.\n']
    ])
  })

  test('is not a text with some nested quotes and lists', async () => {
    const shop = await openAdminBlog('sqlite')
    const content = `${'> '.repeat(20)}- **Rice**\n${'  '.repeat(8)}- *dal*`
    expect((await shop.createPost({ content })).status).toBe(201)
  })
})

describe('Post administration', () => {
  test('shows drafts only to administrators and starts no publish when a draft is saved', async () => {
    const shop = await openAdminBlog('sqlite')
    const versionBefore = await readCatalogVersion(shop)
    await shop.createPost({ hidden: true })
    await shop.changePost(ID, { version: 1, title: 'Pongal' })
    expect(await readCatalogVersion(shop)).toBe(versionBefore)
    expect((await shop.publicPosts()).map(({ id }) => id)).toEqual(['story'])
    const list = (await shop.callAsAdmin('GET /admin/posts')).body as PostSummary[]
    expect(list.map(({ id, title, hiddenAt }) => [id, title, hiddenAt !== null])).toEqual([
      [ID, 'Pongal', true],
      ['story', 'A story', false]
    ])
    expect(list[0]).not.toHaveProperty('content')
  })

  test('can publish a draft and hide a published post', async () => {
    const shop = await openAdminBlog('sqlite')
    await shop.createPost({ hidden: true })
    const versionBefore = await readCatalogVersion(shop)
    await shop.changePost(ID, { version: 1, hidden: false })
    expect(await readCatalogVersion(shop)).toBe(versionBefore + 1)
    expect((await shop.publicPosts()).map(({ id }) => id)).toEqual([ID, 'story'])
    await shop.changePost(ID, { version: 2, hidden: true })
    expect(await readCatalogVersion(shop)).toBe(versionBefore + 2)
    expect((await shop.publicPosts()).map(({ id }) => id)).toEqual(['story'])
    expect(await shop.history(ID)).toEqual(
      expect.arrayContaining([
        'published {"hidden":true} {"hidden":false}',
        'hidden {"hidden":false} {"hidden":true}'
      ])
    )
  })
})

describe.each(ENGINES)('Post administration on %s', engine => {
  test('deletes a post only if the request contains its current version, and records the content in the audit log', async () => {
    const shop = await openAdminBlog(engine)
    const versionBefore = await readCatalogVersion(shop)
    expect(statusAndCode(await shop.callAsAdmin('DELETE /admin/posts/story?version=7'))).toBe(
      '409 EDIT_CONFLICT'
    )
    expect(statusAndCode(await shop.callAsAdmin('DELETE /admin/posts/story?version=1'))).toBe('200')
    expect(await shop.publicPosts()).toEqual([])
    expect(await readCatalogVersion(shop)).toBe(versionBefore + 1)
    expect(statusAndCode(await shop.callAsAdmin('DELETE /admin/posts/story?version=1'))).toBe(
      '404 POST_NOT_FOUND'
    )
    expect(await shop.history('story')).toEqual([
      expect.stringMatching(/^deleted .*"title":"A story".* null$/)
    ])
  })
})

describe('POST /admin/posts/preview', () => {
  test('escapes HTML and links only to public pages', async () => {
    const shop = await openAdminBlog('sqlite', { products: { laddu: {} }, posts: { story: {} } })
    await shop.createPost({ hidden: true })
    const content = `<img src=x onerror=alert(1)> *[laddu](/products/laddu)* [gone](/products/gone) [draft](/blogs/${ID}) [x](javascript:1)`
    const { body } = await shop.callAsAdmin('POST /admin/posts/preview', { content })
    expect(body).toEqual({
      html: '<p>&lt;img src=x onerror=alert(1)&gt; <em><a href="/products/laddu" rel="noopener">laddu</a></em> gone draft x</p>\n'
    })
  })
})
