import { randomBytes } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { MAX_PICTURE_BYTES } from '#lib/constants.ts'
import type { Picture } from '#lib/contract/values.ts'
import { sweepPictures } from '#server/publishing/sweep-pictures.ts'
import { logInAsAdmin, statusAndCode } from '../support/accounts.ts'
import { openShop, type Reply } from '../support/shop.ts'
import { makeUpload } from '../support/upload.ts'

const plainImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c08a3e' } })

async function openPictureShop() {
  const shop = await openShop('sqlite')
  const { token } = await logInAsAdmin(shop)
  const post = (payload: Buffer, type: string): Promise<Reply> =>
    shop.request({
      method: 'POST',
      url: '/api/admin/pictures?name=Rava%20Kesari',
      payload,
      headers: { 'content-type': type, authorization: `Bearer ${token}` }
    })
  return {
    shop,
    post,
    send(...file: Parameters<typeof makeUpload>): Promise<Reply> {
      const { payload, headers } = makeUpload(...file)
      return post(payload, String(headers['content-type']))
    },
    listFiles: () => readdir(join(shop.dataDir, 'assets')).catch((): string[] => [])
  }
}

describe('An uploaded picture', () => {
  test('is stored once in each size and format, with a hash of the content in the file name', async () => {
    const { shop, send, listFiles } = await openPictureShop()
    const photo = await plainImage(300, 200).jpeg().toBuffer()
    const reply = await send(photo)
    const picture = reply.body as Picture
    expect(reply.status).toBe(201)
    expect(picture).toEqual({
      key: expect.stringMatching(/^rava-kesari-[0-9a-f]{8}$/),
      width: 300,
      height: 200,
      alt: '',
      color: expect.stringMatching(/^#[0-9a-f]{6}$/)
    })
    expect((await send(photo, '../../etc/passwd.php', 'text/html')).body).toEqual(picture)
    const files = await listFiles()
    expect(files.length).toBeGreaterThan(2)
    expect(files.every(file => file.startsWith(picture.key))).toBe(true)
    expect(await shop.request({ url: `/assets/${picture.key}.jpg` })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/jpeg', 'x-content-type-options': 'nosniff' }
    })
  })

  test('is kept by the cleanup if it was unused for long, but has just been uploaded again', async () => {
    const { shop, send, listFiles } = await openPictureShop()
    const photo = await plainImage(20, 20).webp().toBuffer()
    await send(photo)
    const files = await listFiles()
    for (const file of files) await utimes(join(shop.dataDir, 'assets', file), 0, 0)
    await send(photo)
    // Files have the time of the computer.
    shop.clock.advance(Date.now() - shop.clock())
    await sweepPictures(shop.app)
    expect(await listFiles()).toEqual(files)
  })
})

describe('An upload is refused', () => {
  test('if it is no picture, whatever its name and type say, or has too many pixels', async () => {
    const { shop, send, listFiles } = await openPictureShop()
    for (const content of [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      Buffer.from('%PDF-1.7 …'),
      Buffer.alloc(0),
      randomBytes(5000),
      await plainImage(6000, 6000).png().toBuffer()
    ])
      expect(statusAndCode(await send(content, 'photo.png', 'image/png'))).toBe(
        '415 UNSUPPORTED_PICTURE'
      )
    expect(await listFiles()).toEqual([])
    expect(await shop.database.kysely.selectFrom('pictures').selectAll().execute()).toEqual([])
  })

  test('over 10 MB with a message that names the limit', async () => {
    const { send } = await openPictureShop()
    const reply = await send(Buffer.alloc(MAX_PICTURE_BYTES + 1))
    expect(statusAndCode(reply)).toBe('413 BODY_TOO_LARGE')
    expect(reply.text).toContain('10 MB')
  })
})
