import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, readFileSync } from 'node:fs'
import { basename, join, parse } from 'node:path'
import { listPictureFiles } from '#lib/images.ts'
import { ROOT } from '#server/config.ts'
import manifest from '#server/demo/pictures/manifest.json' with { type: 'json' }
import { createImages } from '#server/platform/storage/images.ts'
import { buildSite } from './built-site.ts'
import { removeFolder, startShop, temporaryFolder } from './server.ts'

/** Publishes the demo catalogue once. Each worker starts a shop on a copy of the folder. */
export default async function setup(): Promise<() => void> {
  const site = process.env['BUILT_SITE'] ?? (await buildSite())
  const dataDir = temporaryFolder()
  cpSync(site, join(dataDir, 'code', basename(site)), { recursive: true })
  await writePictures(dataDir)
  const shop = await startShop({ dataDir })
  await shop.stop()
  process.stdout.write(`Shop published after ${(shop.startupMs / 1000).toFixed(1)} s\n`)
  process.env['PUBLISHED_SHOP'] = dataDir
  return () => removeFolder(dataDir)
}

/**
 * Shows one picture in place of all demo pictures of the same width, because encoding all of them
 * takes a minute of CPU time. The shop finds the files and encodes none.
 */
async function writePictures(dataDir: string) {
  const images = createImages(dataDir)
  const encodedKeys = new Map<number, string>()
  for (const { file, width } of manifest.files) {
    const original = readFileSync(join(ROOT, 'server', 'demo', 'pictures', file))
    const { name } = parse(file)
    const encoded = encodedKeys.get(width)
    if (encoded === undefined) {
      encodedKeys.set(width, (await images.store(original, name)).key)
      continue
    }
    const key = `${name}-${createHash('sha256').update(original).digest('hex').slice(0, 8)}`
    for (const source of listPictureFiles(encoded, width))
      copyFileSync(
        join(dataDir, 'assets', source),
        join(dataDir, 'assets', source.replace(encoded, key))
      )
  }
}
