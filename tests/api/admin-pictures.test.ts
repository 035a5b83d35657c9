import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { MAX_PICTURE_BYTES } from '#lib/constants.ts'
import type { Picture } from '#lib/contract/values.ts'
import { logInAsAdmin, register, statusAndCode } from '../support/accounts.ts'
import type { Engine } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'
import { makeUpload } from '../support/upload.ts'

const plainImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c08a3e' } })
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
)

interface PictureShop {
  shop: Shop
  send(content: Buffer, filename?: string, type?: string): Promise<Reply>
}

async function openPictureShop(engine: Engine): Promise<PictureShop> {
  const shop = await openShop(engine)
  const { token } = await logInAsAdmin(shop)
  return { shop, send: (...file) => postPicture(shop, token, ...file) }
}

function postPicture(
  shop: Shop,
  token: string | undefined,
  ...file: Parameters<typeof makeUpload>
): Promise<Reply> {
  const { payload, headers } = makeUpload(...file)
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return shop.request({
    method: 'POST',
    url: '/api/admin/pictures?name=Rava%20Kesari',
    payload,
    headers: { ...headers, ...authorization }
  })
}

describe('POST /admin/pictures', () => {
  test('stores each size and format only once, with a hash of the content in the file name', async () => {
    const { shop, send } = await openPictureShop('sqlite')
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
    const files = await readdir(join(shop.dataDir, 'assets'))
    expect(files.length).toBeGreaterThan(2)
    expect(files.every(file => file.startsWith(picture.key))).toBe(true)
    const response = await shop.request({ url: `/assets/${picture.key}.jpg` })
    expect([
      response.status,
      response.headers['content-type'],
      response.headers['x-content-type-options']
    ]).toEqual([200, 'image/jpeg', 'nosniff'])
  })

  test('strips EXIF data and appended bytes', async () => {
    const { shop, send } = await openPictureShop('sqlite')
    const exif = { IFD0: { Copyright: 'Secret' }, IFD3: { GPSLatitude: '9/1 55/1 0/1' } }
    const photo = await plainImage(60, 40).jpeg().withExif(exif).toBuffer()
    await send(Buffer.concat([photo, Buffer.from('<script>alert("kolam")</script>')]))
    for (const file of await readdir(join(shop.dataDir, 'assets'))) {
      const { raw } = await shop.request({ url: `/assets/${file}` })
      expect(raw.includes('Secret') || raw.includes('<script>'), file).toBe(false)
    }
  })

  test('refuses pictures with too many pixels, and refuses other files even if they are declared as PNG', async () => {
    const { shop, send } = await openPictureShop('sqlite')
    const hugePicture = await plainImage(6000, 6000).png().toBuffer()
    for (const content of [
      SVG,
      Buffer.from('%PDF-1.7 …'),
      Buffer.from('<html>'),
      Buffer.alloc(0),
      randomBytes(5000),
      hugePicture
    ]) {
      const reply = await send(content, 'photo.png', 'image/png')
      expect(statusAndCode(reply)).toBe('415 UNSUPPORTED_PICTURE')
    }
    expect(await readdir(join(shop.dataDir, 'assets')).catch(() => [])).toEqual([])
    expect(await shop.database.kysely.selectFrom('pictures').selectAll().execute()).toEqual([])
  })

  test('refuses files over 10 MB with a message that names the limit', async () => {
    const { send } = await openPictureShop('sqlite')
    const reply = await send(Buffer.alloc(MAX_PICTURE_BYTES + 1))
    expect([statusAndCode(reply), reply.text]).toEqual([
      '413 BODY_TOO_LARGE',
      expect.stringContaining('10 MB')
    ])
  })

  test('requires a file in a multipart form', async () => {
    const { shop, send } = await openPictureShop('sqlite')
    const { token } = await logInAsAdmin(shop)
    const headers = { authorization: `Bearer ${token}` }
    const url = '/api/admin/pictures'
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
    expect(
      statusAndCode(await shop.request({ method: 'POST', url, headers, payload: { file: 'x' } }))
    ).toBe('415 UNSUPPORTED_MEDIA_TYPE')
    const withoutFile = await shop.request({
      method: 'POST',
      url,
      headers: { ...headers, ...multipart },
      payload: '--x--\r\n'
    })
    expect(statusAndCode(withoutFile)).toBe('400 INVALID_INPUT')
    expect((await send(await plainImage(20, 20).webp().toBuffer())).status).toBe(201)
  })

  test('refuses a form without a boundary and a form that is cut short', async () => {
    const { shop } = await openPictureShop('sqlite')
    const { token } = await logInAsAdmin(shop)
    const { payload, headers } = makeUpload(await plainImage(20, 20).webp().toBuffer())
    const authorization = `Bearer ${token}`
    const post = (type: string, body: Buffer): Promise<Reply> =>
      shop.request({
        method: 'POST',
        url: '/api/admin/pictures',
        headers: { 'content-type': type, authorization },
        payload: body
      })
    const type = String(headers['content-type'])
    for (const reply of [
      await post('multipart/form-data', payload),
      await post(type, payload.subarray(0, payload.length - 20)),
      await post(type, payload.subarray(0, 30)),
      await post(type, Buffer.alloc(0))
    ])
      expect(statusAndCode(reply)).toMatch(/^400 /)
  })

  test('is for administrators only', async () => {
    const shop = await openShop('sqlite')
    const photo = await plainImage(20, 20).jpeg().toBuffer()
    const { token } = await register(shop)
    expect(statusAndCode(await postPicture(shop, undefined, photo))).toBe('401 UNAUTHORIZED')
    expect(statusAndCode(await postPicture(shop, token, photo))).toBe('403 FORBIDDEN')
  })
})
