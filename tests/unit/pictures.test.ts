import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createImages, type Images } from '#server/platform/storage/images.ts'
import { PICTURE_FILE } from '#server/platform/storage/images.ts'

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

const unsupportedPicture = expect.objectContaining({ code: 'UNSUPPORTED_PICTURE' })

describe('Storing a picture', () => {
  test('creates each width in AVIF and WebP, and one JPEG', async () => {
    const { key, ...picture } = await images.store(
      await solidPicture(600, 300).png().toBuffer(),
      'Mysore Pak'
    )
    expect(key).toMatch(/^mysore-pak-[0-9a-f]{8}$/)
    expect(picture).toEqual({ width: 600, height: 300, color: '#c08a3e' })
    const suffixes = [
      '-240.avif',
      '-240.webp',
      '-480.avif',
      '-480.webp',
      '-600.avif',
      '-600.webp',
      '.jpg'
    ]
    expect((await readdir(assets)).sort()).toEqual(suffixes.map(suffix => `${key}${suffix}`))
    const { width, height, compression } = await sharp(join(assets, `${key}-480.avif`)).metadata()
    expect({ width, height, compression }).toEqual({ width: 480, height: 240, compression: 'av1' })
    expect(await sharp(join(assets, `${key}.jpg`)).metadata()).toMatchObject({
      format: 'jpeg',
      width: 600
    })
  })

  test('limits the JPEG for link previews to a width of 1080 pixels', async () => {
    const { key } = await images.store(await solidPicture(1300, 100).webp().toBuffer(), 'banner')
    expect(await sharp(join(assets, `${key}.jpg`)).metadata()).toMatchObject({ width: 1080 })
    expect(await readdir(assets)).toContain(`${key}-1300.avif`)
  })

  test('rotates the picture upright and removes its metadata', async () => {
    const exif = { IFD0: { Copyright: 'Secret' }, IFD3: { GPSLatitude: '9/1 55/1 0/1' } }
    const original = await solidPicture(300, 200)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge(exif)
      .toBuffer()
    expect((await sharp(original).metadata()).exif?.toString('latin1')).toContain('Secret')
    const stored = await images.store(original, 'turned')
    expect(stored).toMatchObject({ width: 200, height: 300 })
    for (const file of await readdir(assets)) {
      const {
        exif: storedExif,
        xmp,
        icc,
        width,
        height
      } = await sharp(join(assets, file)).metadata()
      expect({ storedExif, xmp, icc, upright: width < height }, file).toEqual({ upright: true })
    }
  })

  test('accepts PNG with transparency and AVIF', async () => {
    const transparent = { r: 0, g: 0, b: 0, alpha: 0 }
    const png = await sharp({
      create: { width: 50, height: 50, channels: 4, background: transparent }
    })
      .png()
      .toBuffer()
    expect((await images.store(png, 'leaf')).color).toBe('#ffffff')
    expect(await images.store(await solidPicture(50, 40).avif().toBuffer(), 'leaf')).toMatchObject({
      width: 50,
      height: 40
    })
  })

  test('gives equal pictures the same key and different pictures different keys', async () => {
    const original = await solidPicture(100, 100).png().toBuffer()
    const first = await images.store(original, 'laddu')
    expect(await images.store(original, 'laddu')).toEqual(first)
    expect(
      (await images.store(await solidPicture(100, 100, '#fff').png().toBuffer(), 'laddu')).key
    ).not.toBe(first.key)
  })

  test('makes file names that the shop serves, whatever the picture is called', async () => {
    const original = await solidPicture(50, 50).png().toBuffer()
    for (const name of ['_laddu_.png', '-- --', 'லட்டு', 'x'.repeat(200)]) {
      const { key } = await images.store(original, name)
      expect(`${key}.jpg`).toMatch(PICTURE_FILE)
    }
  })

  test('creates only the missing files if an earlier attempt was interrupted', async () => {
    const original = await solidPicture(300, 300).png().toBuffer()
    const { key } = await images.store(original, 'laddu')
    const [existing, missing] = [join(assets, `${key}-240.avif`), join(assets, `${key}-300.webp`)]
    const originalStat = await stat(existing)
    await rm(missing)
    await images.store(original, 'laddu')
    expect((await stat(existing)).ino).toBe(originalStat.ino)
    expect((await readFile(missing)).length).toBeGreaterThan(0)
    expect((await readdir(assets)).filter(file => file.endsWith('.tmp'))).toEqual([])
  })
})

describe('Rejected pictures', () => {
  test.for([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'],
    ['text', 'A recipe'],
    ['nothing', '']
  ] as const)('rejects a file that contains %s', async ([, content]) => {
    await expect(images.store(Buffer.from(content), 'upload')).rejects.toEqual(unsupportedPicture)
  })

  test('rejects a GIF and a truncated JPEG', async () => {
    await expect(
      images.store(await solidPicture(10, 10).gif().toBuffer(), 'upload')
    ).rejects.toEqual(unsupportedPicture)
    const jpeg = await solidPicture(300, 300).jpeg().toBuffer()
    await expect(images.store(jpeg.subarray(0, jpeg.length - 200), 'upload')).rejects.toEqual(
      unsupportedPicture
    )
  })

  test('rejects a small file with more than 24 megapixels', async () => {
    const bomb = await solidPicture(6000, 4001, '#fff').png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(200_000)
    await expect(images.store(bomb, 'upload')).rejects.toEqual(unsupportedPicture)
  })

  test('rejects a picture that is too high for the output formats', async () => {
    await expect(
      images.store(await solidPicture(10, 16_384).png().toBuffer(), 'upload')
    ).rejects.toEqual(unsupportedPicture)
  })

  test('a rejected picture does not affect the next picture', async () => {
    const picture = await solidPicture(50, 50).png().toBuffer()
    const [first, second] = await Promise.allSettled([
      images.store(Buffer.from('no picture'), 'upload'),
      images.store(picture, 'upload')
    ])
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled'])
  })
})

test('storing a picture fails with the system error if the assets folder is not writable', async () => {
  await writeFile(assets, 'a file')
  await expect(images.store(await solidPicture(50, 50).png().toBuffer(), 'laddu')).rejects.toThrow(
    /EEXIST|ENOTDIR/
  )
})
