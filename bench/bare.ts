import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

export const BARE_PATH = '/bare'

const PICTURE = 'server/db/seed/pictures/mysore-pak.jpg'
const PICTURE_BYTES = 36_000
const WIDTH = 720

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bare page</title></head>
<body><h1>Bare page</h1><img src="/assets/bare-page.jpg" width="${WIDTH}" height="${WIDTH}" alt="Sweets"></body>
</html>
`

/** Adds a page with nothing but one picture to the release in `dataDir`, so that the same server sends it. */
export async function addBarePage(dataDir: string): Promise<void> {
  writeFileSync(join(dataDir, 'assets', 'bare-page.jpg'), await picture())
  const release = join(dataDir, 'current')
  const manifest = JSON.parse(readFileSync(join(release, 'release.json'), 'utf8')) as { files: Record<string, unknown> }
  const hash = createHash('sha256').update(PAGE).digest('base64url').slice(0, 22)
  manifest.files['bare.html'] = { size: Buffer.byteLength(PAGE), hash, encodings: [], policy: 0 }
  writeFileSync(join(release, 'bare.html'), PAGE)
  writeFileSync(join(release, 'release.json'), JSON.stringify(manifest))
}

async function picture(quality = 95): Promise<Buffer> {
  const made = await sharp(PICTURE).resize(WIDTH).jpeg({ quality }).toBuffer()
  return made.length <= PICTURE_BYTES || quality <= 5 ? made : picture(quality - 1)
}
