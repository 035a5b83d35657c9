import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { paths } from '#lib/paths.ts'
import { HASHED_FOLDER } from './headers.ts'
import { pageFile, type ReleaseFile } from './manifest.ts'

const COMPRESSIBLE = /\.(html|js|mjs|css|svg|xml|txt|json|webmanifest|ico|map)$/
const HASHED_FILE_QUALITY = 11
/** Makes entry pages 10 % smaller than PAGE_QUALITY would, so that they need fewer network round trips. */
const ENTRY_PAGE_QUALITY = 10
const PAGE_QUALITY = 5
const ENTRY_PAGES = new Set([paths.home, paths.products].map(pageFile))
const GZIP_LEVEL = 9

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

export async function compress(file: string, name: string, content: Buffer): Promise<ReleaseFile['encodings']> {
  if (!COMPRESSIBLE.test(name)) return []
  const quality = name.startsWith(HASHED_FOLDER)
    ? HASHED_FILE_QUALITY
    : ENTRY_PAGES.has(name)
      ? ENTRY_PAGE_QUALITY
      : PAGE_QUALITY
  const [br, gz] = await Promise.all([
    compressBrotli(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    }),
    compressGzip(content, { level: GZIP_LEVEL })
  ])
  const encodings: ReleaseFile['encodings'] = []
  if (br.length < content.length) {
    await writeFile(`${file}.br`, br)
    encodings.push('br')
  }
  if (gz.length < content.length) {
    await writeFile(`${file}.gz`, gz)
    encodings.push('gzip')
  }
  return encodings
}
