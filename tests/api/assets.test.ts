import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openShop } from '../support/shop.ts'

const PICTURE = 'mysore-pak-1a2b3c4d-480.avif'

async function openShopWithFiles(files: Record<string, Buffer | string>) {
  const shop = await openShop()
  await mkdir(join(shop.dataDir, 'assets', 'folder.jpg'), { recursive: true })
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
    const shop = await openShopWithFiles({ [name]: content })
    const url = `/assets/${name}`
    const reply = await shop.request({ url })
    expect([reply.status, reply.raw]).toEqual([200, content])
    expect(reply.headers).toMatchObject({
      'content-type': type,
      'content-length': '4',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin'
    })
    const headers = { 'if-none-match': String(reply.headers['etag']) }
    expect(await shop.request({ url, headers })).toMatchObject({ status: 304, text: '' })
    const head = await shop.request({ method: 'HEAD', url })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '4'])
  })

  test('returns 404 for all other names and methods', async () => {
    const secret = 'secret'
    const shop = await openShopWithFiles({
      [PICTURE]: 'picture',
      '.hidden.jpg': secret,
      'mysore-pak.html': secret,
      'folder.jpg/inside.jpg': secret
    })
    await writeFile(join(shop.dataDir, 'shop.db'), secret)
    for (const name of [
      'nothing.jpg',
      '../shop.db',
      '..%2fshop.db',
      '%2e%2e/shop.db',
      'folder.jpg',
      'folder.jpg/inside.jpg',
      '.hidden.jpg',
      'mysore-pak.html',
      'a%00.jpg',
      `${'x'.repeat(400)}.jpg`
    ]) {
      const reply = await shop.request({ url: `/assets/${name}` })
      expect(reply, name).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      expect(reply.headers['cache-control']).toBe('no-store')
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'] as const)
      expect((await shop.request({ method, url: `/assets/${PICTURE}` })).status).toBe(404)
    expect((await shop.request({ url: `/assets/${PICTURE}` })).text).toBe('picture')
  })
})
