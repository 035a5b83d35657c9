import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createImages, PICTURE_FILE, type Images } from '#server/platform/storage/images.ts'

let folder: string
let assets: string
let images: Images

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palagaram-pictures-'))
  assets = join(folder, 'assets')
  images = createImages(folder)
})

afterEach(() => rm(folder, { recursive: true }))

const solidPicture = (width: number, height: number, background = '#c08a3e') =>
  sharp({ create: { width, height, channels: 3, background } })

describe('Storing a picture', () => {
  test('creates each width in AVIF and WebP, and one JPEG', async () => {
    const { key, ...picture } = await images.store(
      await solidPicture(600, 300).png().toBuffer(),
      'Mysore Pak'
    )
    expect(key).toMatch(/^mysore-pak-[0-9a-f]{8}$/)
    expect(picture).toEqual({ width: 600, height: 300, color: '#c08a3e' })
    const names = [240, 480, 600].flatMap(width => [`-${width}.avif`, `-${width}.webp`])
    expect((await readdir(assets)).sort()).toEqual([...names, '.jpg'].map(name => `${key}${name}`))
    const { width, height, compression } = await sharp(join(assets, `${key}-480.avif`)).metadata()
    expect({ width, height, compression }).toEqual({ width: 480, height: 240, compression: 'av1' })
    expect(await sharp(join(assets, `${key}.jpg`)).metadata()).toMatchObject({
      format: 'jpeg',
      width: 600
    })
  })

  test('rotates the picture upright and removes its metadata', async () => {
    const secrets = { IFD0: { Copyright: 'Secret' }, IFD3: { GPSLatitude: '9/1 55/1 0/1' } }
    const original = await solidPicture(300, 200)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge(secrets)
      .toBuffer()
    expect((await sharp(original).metadata()).exif?.toString('latin1')).toContain('Secret')
    const stored = await images.store(original, 'turned')
    expect(stored).toMatchObject({ width: 200, height: 300 })
    for (const file of await readdir(assets)) {
      const { exif, xmp, icc, width, height } = await sharp(join(assets, file)).metadata()
      expect({ exif, xmp, icc, upright: width < height }, file).toEqual({ upright: true })
    }
  })

  test('accepts PNG with transparency and AVIF', async () => {
    const clear = sharp({
      create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } }
    })
    expect((await images.store(await clear.png().toBuffer(), 'leaf')).color).toBe('#ffffff')
    const avif = await solidPicture(50, 40).avif().toBuffer()
    expect(await images.store(avif, 'leaf')).toMatchObject({ width: 50, height: 40 })
  })

  test('makes file names that the shop serves, whatever the picture is called', async () => {
    const original = await solidPicture(50, 50).png().toBuffer()
    for (const name of ['_laddu_.png', 'லட்டு', 'x'.repeat(200)])
      expect(`${(await images.store(original, name)).key}.jpg`).toMatch(PICTURE_FILE)
  })
})

test.for<[string, () => Promise<Buffer> | Buffer]>([
  ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['text', () => Buffer.from('A recipe')],
  ['a GIF', () => solidPicture(10, 10).gif().toBuffer()],
  [
    'a truncated JPEG',
    async () => (await solidPicture(300, 300).jpeg().toBuffer()).subarray(0, -200)
  ],
  ['more than 24 megapixels', () => solidPicture(6000, 4001).png().toBuffer()],
  ['more than 16,383 pixels of height', () => solidPicture(10, 16_384).png().toBuffer()]
])('A file is rejected that contains %s', async ([, makeFile]) => {
  await expect(images.store(await makeFile(), 'upload')).rejects.toMatchObject({
    code: 'UNSUPPORTED_PICTURE'
  })
})
