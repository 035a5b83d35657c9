import { createHash, randomUUID } from 'node:crypto'
import { utimesSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { MAX_PICTURE_PIXELS } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { pictureFile, pictureWidths } from '#lib/images.ts'
import type { KeptPicture } from './images.ts'

type Raw = Awaited<ReturnType<typeof scale>>

// Measured on the demo's pictures: 14 kB for a square of 480 px. Full colour (4:4:4) at 48 looks better than half (4:2:0) at
// 50 and is smaller; effort 2 takes twice as long for 2 %. Effort 0 takes half as long for 11 % more, which is right for the
// two widths that only large screens ask for.
const AVIF = { quality: 48, effort: 1, chromaSubsampling: '4:4:4' } as const
const LARGE_AVIF = { ...AVIF, effort: 0 } as const
const WEBP = { quality: 72, effort: 2 } as const
const JPEG = { quality: 76, progressive: true } as const
/** The widest that phones ask for; link previews and clients of the specification's `image` get a JPEG of it. */
const PHONE_WIDTH = 1080
/** WebP knows no longer one. */
const LONGEST_SIDE = 16_383

sharp.cache(false)
sharp.concurrency(1)
// Readers of SVG, PDF and the like are a way in for strangers' files: only these four are let near them.
const READERS = ['Jpeg', 'Png', 'Webp', 'Heif'].map(format => `VipsForeignLoad${format}Buffer`)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: READERS })

/** Makes the forms of a picture that the folder does not have yet. Throws as `Images.keep` does. */
export async function pressPicture(folder: string, original: Uint8Array, name: string): Promise<KeptPicture> {
  const key = `${slug(name)}-${createHash('sha256').update(original).digest('hex').slice(0, 8)}`
  const { width, height, raw } = await decode(original)
  await mkdir(folder, { recursive: true })
  for (const step of pictureWidths(width)) {
    const missing = forms(key, step, width).filter(({ file }) => !touch(join(folder, file)))
    if (missing.length === 0) continue
    const scaled = await scale(open(raw), step)
    for (const { file, encode } of missing) await save(join(folder, file), await encode(open(scaled)).toBuffer())
  }
  return { key, width, height, color: await averageColor(open(raw)) }
}

// What is sent again is as good as new, for whoever removes what nobody has used for long.
function touch(path: string): boolean {
  try {
    const now = new Date()
    utimesSync(path, now, now)
    return true
  } catch {
    return false
  }
}

interface Form {
  file: string
  encode(image: Sharp): Sharp
}

function forms(key: string, width: number, originalWidth: number): Form[] {
  const modern: Form[] = [
    { file: pictureFile(key, width, 'avif'), encode: image => image.avif(width > PHONE_WIDTH ? LARGE_AVIF : AVIF) },
    { file: pictureFile(key, width, 'webp'), encode: image => image.webp(WEBP) }
  ]
  const widest = Math.max(...pictureWidths(originalWidth).filter(step => step <= PHONE_WIDTH))
  const jpeg: Form = { file: `${key}.jpg`, encode: image => image.flatten({ background: '#fff' }).jpeg(JPEG) }
  return width === widest ? [...modern, jpeg] : modern
}

/** The picture as it is looked at, without metadata, no wider than the widest form. */
async function decode(original: Uint8Array): Promise<{ width: number; height: number; raw: Raw }> {
  const options: SharpOptions = { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error' }
  try {
    const { width, height } = (await sharp(original, options).metadata()).autoOrient
    if (Math.max(width, height) > LONGEST_SIDE) throw new RangeError(`${width} by ${height} pixels`)
    const upright = sharp(original, options).autoOrient().toColourspace('srgb')
    return { width, height, raw: await scale(upright, Math.max(...pictureWidths(width))) }
  } catch (cause) {
    throw new ShopError('UNSUPPORTED_PICTURE', { cause })
  }
}

// Scaled as it is decoded once, then from memory: decoding costs more than scaling.
function scale(image: Sharp, width: number) {
  return image.resize({ width }).raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
}

function open({ data, info }: Raw): Sharp {
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels } })
}

async function averageColor(image: Sharp): Promise<string> {
  const pixel = await image.flatten({ background: '#fff' }).resize(1, 1, { fit: 'fill' }).raw().toBuffer()
  return `#${pixel.subarray(0, 3).toString('hex')}`
}

// Whole or not at all: a file that was cut off by a crash would be taken for the picture for ever.
async function save(path: string, content: Buffer): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(unfinished, content, { flush: true })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

function slug(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9_]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'picture'
  )
}
