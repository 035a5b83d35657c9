import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'

const PICTURE = 'mysore-pak-1a2b3c4d-480.avif'

async function openShopWithPictures(files: Record<string, Buffer>): Promise<Shop> {
  const shop = await openShop('sqlite')
  await mkdir(join(shop.dataDir, 'assets'), { recursive: true })
  for (const [name, content] of Object.entries(files))
    await writeFile(join(shop.dataDir, 'assets', name), content)
  return shop
}

describe('GET /assets/{name}', () => {
  test.for([
    ['mysore-pak-1a2b3c4d-480.avif', 'image/avif'],
    ['mysore-pak-1a2b3c4d-1600.webp', 'image/webp'],
    ['mysore-pak-1a2b3c4d.jpg', 'image/jpeg']
  ] as const)('serves %s as %s and allows caching for a year', async ([name, type]) => {
    const content = Buffer.from([0xff, 0x00, 0xd8, 0x0a])
    const shop = await openShopWithPictures({ [name]: content })
    const reply = await shop.request({ url: `/assets/${name}` })
    expect([reply.status, reply.raw]).toEqual([200, content])
    expect(reply.headers).toMatchObject({
      'content-type': type,
      'content-length': '4',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin'
    })
  })

  test('returns 304 for a known ETag', async () => {
    const shop = await openShopWithPictures({ [PICTURE]: Buffer.from('picture') })
    const { headers } = await shop.request({ url: `/assets/${PICTURE}` })
    const again = await shop.request({
      url: `/assets/${PICTURE}`,
      headers: { 'if-none-match': String(headers['etag']) }
    })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('serves large files', async () => {
    const content = Buffer.alloc(1_500_000, 'large')
    const shop = await openShopWithPictures({ [PICTURE]: content })
    const reply = await shop.request({ url: `/assets/${PICTURE}` })
    expect(reply.raw.equals(content)).toBe(true)
    expect(reply.headers['content-length']).toBe('1500000')
  })

  test('answers HEAD with the headers of GET', async () => {
    const shop = await openShopWithPictures({ [PICTURE]: Buffer.from('picture') })
    const head = await shop.request({ method: 'HEAD', url: `/assets/${PICTURE}` })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '7'])
  })

  test.for([
    'nothing.jpg',
    '',
    '.',
    '..',
    '../shop.db',
    '..%2fshop.db',
    '%2e%2e/shop.db',
    '..%5cshop.db',
    'folder',
    'folder/inside.jpg',
    'folder.jpg',
    '.hidden.jpg',
    'mysore-pak.jpg.writing',
    'mysore-pak.html',
    'a%00.jpg',
    `${'x'.repeat(400)}.jpg`
  ])('returns 404 at /assets/%s', async name => {
    const shop = await openShopWithPictures({
      '.hidden.jpg': Buffer.from('x'),
      'mysore-pak.html': Buffer.from('x')
    })
    await mkdir(join(shop.dataDir, 'assets', 'folder.jpg'))
    await mkdir(join(shop.dataDir, 'assets', 'folder'))
    await writeFile(join(shop.dataDir, 'assets', 'folder', 'inside.jpg'), 'x')
    await writeFile(join(shop.dataDir, 'shop.db'), 'secret')
    const reply = await shop.request({ url: `/assets/${name}` })
    expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test('allows only GET and HEAD', async () => {
    const shop = await openShopWithPictures({ [PICTURE]: Buffer.from('picture') })
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
      expect((await shop.request({ method, url: `/assets/${PICTURE}` })).status).toBe(404)
    }
    expect((await shop.request({ url: `/assets/${PICTURE}` })).text).toBe('picture')
  })
})
