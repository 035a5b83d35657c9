import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminPost, BlogPost, PostDraft } from '#lib/contract/content.ts'
import { DAY } from '#lib/time.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { expectBody, expectOutcome, statusAndCode } from '../support/accounts.ts'
import { fieldsOf, withAdmin } from '../support/admin-products.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openShop, type Reply } from '../support/shop.ts'

const ID = 'pongal-sweet-and-salt'
const PONGAL: Omit<PostDraft, 'key'> = {
  title: 'Pongal, Sweet and Salt',
  author: 'Meena',
  excerpt: 'Two pots boil over on one morning.',
  content: 'Rice, *jaggery* and a **new pot**.',
  picture: null,
  day: '2026-11-21',
  hidden: false
}
const postOf = ({ body }: Reply) => body as AdminPost

async function openAdminBlog(engine: Engine = 'sqlite') {
  const posts = { story: { title: 'A story', content: 'Once.\n' } }
  const shop = await withAdmin(await openShop(engine, { products: { laddu: {} }, posts }))
  const { callAsAdmin } = shop
  return {
    ...shop,
    create: (draft: Partial<PostDraft> = {}) =>
      callAsAdmin('POST /admin/posts', { ...PONGAL, key: randomUUID(), ...draft }),
    change: (id: string, change: object) => callAsAdmin(`PATCH /admin/posts/${id}`, change),
    remove: async (version: number) =>
      statusAndCode(await callAsAdmin(`DELETE /admin/posts/story?version=${version}`)),
    preview: (content: string) => callAsAdmin('POST /admin/posts/preview', { content }),
    history: (id: string) => shop.history(id, 'post'),
    listPublic: async () => (await shop.get('/blog')).body as BlogPost[],
    publicIds: async () => ((await shop.get('/blog')).body as BlogPost[]).map(({ id }) => id),
    readVersion: () => readCounter(shop.database.kysely, 'catalog')
  }
}

describe('A new post', () => {
  test('is published above older ones', async () => {
    const { create, readVersion, history, ...shop } = await openAdminBlog()
    const versionBefore = await readVersion()
    const reply = await create()
    expect([reply.status, reply.body]).toMatchObject([
      201,
      { id: ID, version: 1, hiddenAt: null, image: '', createdAt: '2026-11-21T04:00:00.000Z' }
    ])
    expect(await readVersion()).toBeGreaterThan(versionBefore)
    const { title, author, excerpt, content } = PONGAL
    expect(await shop.listPublic()).toMatchObject([
      { _id: ID, title, author, excerpt, content },
      { id: 'story' }
    ])
    expect(await history(ID)).toEqual([expect.stringMatching(/^created null .*"hidden":false/)])
  })

  test('is refused with a reason at each invalid field', async () => {
    const { create } = await openAdminBlog()
    const wrong = {
      title: ' ',
      author: '',
      excerpt: 'x'.repeat(201),
      content: '\n',
      day: '2026-02-30',
      picture: { key: 'laddu-00000000', alt: ' ' }
    }
    expect(fieldsOf(await create(wrong))).toEqual({
      title: 'Please enter a title',
      author: 'Please enter the author',
      excerpt: expect.stringMatching(/200/),
      content: 'Please write the post',
      day: 'Please choose today or an earlier date',
      'picture.alt': 'Please describe the picture'
    })
    const picture = { key: 'nothing-12345678', alt: 'Nothing' }
    expect(fieldsOf(await create({ picture }))).toEqual({
      picture: expect.stringMatching(/add it again/)
    })
    expect(fieldsOf(await create({ content: 'x'.repeat(20_001) }))).toHaveProperty('content')
    expect((await create({ content: 'க'.repeat(20_000) })).status).toBe(201)
  })

  test('has an alt text of its own for a picture of a product', async () => {
    const { create, change, listPublic, get } = await openAdminBlog()
    const picture = { key: 'laddu-00000000', alt: 'A laddu beside the pot' }
    await create({ picture })
    expect((await listPublic())[0]).toMatchObject({ image: 'laddu-00000000.jpg', picture })
    await expectBody(get('/products/laddu'), { pictures: [{ alt: 'A plate' }] })
    await change(ID, { version: 1, picture: null })
    expect((await listPublic())[0]).toMatchObject({ image: '' })
  })
})

describe.each(ENGINES)('Posts on %s', engine => {
  test('have the given address, or else an unused one derived from the title', async () => {
    const { create } = await openAdminBlog(engine)
    const key = randomUUID()
    for (const _ of ['sent', 'sent again'])
      expect(postOf(await create({ slug: 'pongal', key })).id).toBe('pongal')
    expect(postOf(await create()).id).toBe(ID)
    expect(postOf(await create()).id).toBe(`${ID}-2`)
    expect(postOf(await create({ title: 'பொங்கல்' })).id).toBe('post')
    expect(fieldsOf(await create({ slug: 'pongal' }))).toEqual({
      slug: 'Another post already uses this address'
    })
    for (const slug of ['Pongal', 'a/b', '../x', 'a b', '-a', '', 'x'.repeat(81)])
      expect(fieldsOf(await create({ slug })), slug).toEqual({
        slug: expect.stringMatching(/lowercase letters/)
      })
  })

  test('move in the list when their date changes, and are deleted from their current version', async () => {
    const { create, change, remove, clock, ...shop } = await openAdminBlog(engine)
    await create()
    clock.advance(2 * DAY)
    const moved = { version: 1, day: '2026-11-22', title: 'Another story' }
    await expectBody(change('story', moved), { content: 'Once.\n', version: 2 })
    expect((await shop.listPublic()).map(({ id, createdAt }) => [id, createdAt])).toEqual([
      ['story', '2026-11-21T18:30:00.000Z'],
      [ID, '2026-11-21T04:00:00.000Z']
    ])
    expect(fieldsOf(await change('story', { version: 2, day: '2026-11-24' }))).toHaveProperty('day')
    const versionBefore = await shop.readVersion()
    clock.advance(1)
    expect([await remove(1), await remove(2), await remove(2)]).toEqual([
      '409 EDIT_CONFLICT',
      '200',
      '404 POST_NOT_FOUND'
    ])
    expect(await shop.publicIds()).toEqual([ID])
    expect(await shop.readVersion()).toBe(versionBefore + 1)
    expect(await shop.history('story')).toEqual([
      expect.stringMatching(/^deleted .*"title":"Another story".* null$/),
      expect.stringMatching(/^changed .*"title":"A story".*"title":"Another story"/)
    ])
  })
})

test('A draft is shown only to administrators until it is published', async () => {
  const { create, change, publicIds, readVersion, ...shop } = await openAdminBlog()
  const versionBefore = await readVersion()
  await create({ hidden: true })
  await change(ID, { version: 1, title: 'Pongal' })
  expect(await readVersion()).toBe(versionBefore)
  expect(await publicIds()).toEqual(['story'])
  const { body } = await shop.callAsAdmin('GET /admin/posts')
  expect(body).toMatchObject([
    { id: ID, title: 'Pongal', hiddenAt: expect.any(String) },
    { id: 'story', hiddenAt: null }
  ])
  expect(JSON.stringify(body)).not.toContain('content')
  await change(ID, { version: 2, hidden: false })
  expect(await publicIds()).toEqual([ID, 'story'])
  await change(ID, { version: 3, hidden: true })
  expect(await publicIds()).toEqual(['story'])
  expect(await readVersion()).toBe(versionBefore + 2)
  expect(await shop.history(ID)).toEqual(
    expect.arrayContaining([
      'published {"hidden":true} {"hidden":false}',
      'hidden {"hidden":false} {"hidden":true}'
    ])
  )
})

test('A text that the website can’t render is refused when it is saved or previewed', async () => {
  const { create, change, preview, listPublic } = await openAdminBlog()
  const content = `${'>'.repeat(2000)} Rice`
  for (const reply of [
    await create({ content, hidden: true }),
    await change('story', { version: 1, content }),
    await preview(content)
  ]) {
    await expectOutcome(reply, '422 TEXT_NOT_RENDERABLE')
    expect(fieldsOf(reply)).toEqual({ content: expect.stringMatching(/in one place/) })
  }
  expect(await listPublic()).toMatchObject([{ id: 'story', content: 'Once.\n' }])
  const nested = `${'> '.repeat(20)}- **Rice**\n${'  '.repeat(8)}- *dal*`
  expect((await create({ content: nested })).status).toBe(201)
})
