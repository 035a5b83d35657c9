import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { paths } from '#lib/paths.ts'
import { HASHED } from './headers.ts'
import { pageFile, type ReleaseFile } from './manifest.ts'

const COMPRESSIBLE = /\.(html|js|mjs|css|svg|xml|txt|json|webmanifest|ico|map)$/
/**
 * Hashed files are compressed once for many visits; pages change with every publish. Those by which most visitors come in
 * are worth the tenth of a second: a tenth smaller, the home page arrives with the first packets of a connection.
 */
const HASHED_QUALITY = 11
const ENTRANCE_QUALITY = 10
const PAGE_QUALITY = 5
const ENTRANCES = new Set([paths.home, paths.products].map(pageFile))
const GZIP_LEVEL = 9

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Writes `file.br` and `file.gz` beside a file where they are smaller than it; `name` is its path in the release. */
export async function compress(file: string, name: string, content: Buffer): Promise<ReleaseFile['encodings']> {
  if (!COMPRESSIBLE.test(name)) return []
  const quality = name.startsWith(HASHED) ? HASHED_QUALITY : ENTRANCES.has(name) ? ENTRANCE_QUALITY : PAGE_QUALITY
  const [br, gz] = await Promise.all([
    brotli(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    }),
    zip(content, { level: GZIP_LEVEL })
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
