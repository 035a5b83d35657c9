import { readFile } from 'node:fs/promises'
import { parse } from 'node:path'
import type { Images } from '../../gateways/images.ts'
import type { PictureRow } from '../tables.ts'
import manifest from './pictures/manifest.json' with { type: 'json' }

/** A picture of the demo, ready to be shown. */
export interface SeedPicture {
  /** As the manifest and the demo's posts call it: 'mysore-pak-2.jpg'. */
  file: string
  row: PictureRow
  /** The product it shows, and the how manieth of its pictures it is, from 1. */
  product?: { id: string; view: number }
}

/** As many as the small machines that shops run on have cores; each picture needs one of them and up to 30 MB. */
const AT_ONCE = 2
const PROGRESS_EVERY = 10

/** Makes all forms of the pictures that come with the shop and says how far it is. Those made already are only read. */
export async function preparePictures(
  images: Images,
  progress: (line: string) => void,
  which: 'all' | 'of the site' = 'all'
): Promise<SeedPicture[]> {
  const pictures: SeedPicture[] = []
  const wanted = manifest.files.filter(({ slug }) => which === 'all' || slug === undefined)
  const total = wanted.length
  const waiting = wanted.values()

  async function work(): Promise<void> {
    for (const entry of waiting) {
      pictures.push(await prepare(images, entry))
      const done = pictures.length
      if (done % PROGRESS_EVERY === 0 || done === total) progress(`Preparing pictures ${done}/${total}`)
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return pictures
}

type Entry = (typeof manifest.files)[number]

async function prepare(images: Images, { file, alt, view, slug }: Entry): Promise<SeedPicture> {
  const { name } = parse(file)
  const original = await readFile(new URL(`pictures/${file}`, import.meta.url))
  const kept = await images.keep(original, name)
  // Pages ask by name only for what belongs to no product.
  const row = { ...kept, alt, name: slug === undefined ? name : null }
  return { file, row, ...(slug !== undefined && { product: { id: slug, view } }) }
}
