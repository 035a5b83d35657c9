import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

export const BASELINE_PATH = '/baseline'

const PICTURE = 'server/demo/pictures/mysore-pak.jpg'
const MAX_PICTURE_BYTES = 36_000
const WIDTH = 720

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Baseline page</title></head>
<body><h1>Baseline page</h1><img src="/assets/baseline-page.jpg" width="${WIDTH}" height="${WIDTH}" alt="Sweets"></body>
</html>
`

/**
 * Adds a page with one picture to the release in `dataDir`, so that the baseline is measured with the shop's server.
 */
export async function addBaselinePage(dataDir: string): Promise<void> {
  writeFileSync(join(dataDir, 'assets', 'baseline-page.jpg'), await encodePicture())
  const release = join(dataDir, 'current')
  const manifest = JSON.parse(readFileSync(join(release, 'release.json'), 'utf8')) as { files: Record<string, unknown> }
  const hash = createHash('sha256').update(PAGE).digest('base64url').slice(0, 22)
  manifest.files['baseline.html'] = { size: Buffer.byteLength(PAGE), hash, encodings: [], policy: 0 }
  writeFileSync(join(release, 'baseline.html'), PAGE)
  writeFileSync(join(release, 'release.json'), JSON.stringify(manifest))
}

async function encodePicture(quality = 95): Promise<Buffer> {
  const jpeg = await sharp(PICTURE).resize(WIDTH).jpeg({ quality }).toBuffer()
  return jpeg.length <= MAX_PICTURE_BYTES || quality <= 5 ? jpeg : encodePicture(quality - 1)
}
