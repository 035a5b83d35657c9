import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '#lib/time.ts'
import { readConfig, ROOT } from '#server/config.ts'
import { hashCode } from '#server/publishing/plan.ts'
import { compressFolder } from '#server/publishing/release/files.ts'
import { codeVersion, createSiteBuilder } from '#server/publishing/site-code.ts'
import { CACHE_FOLDER } from './server.ts'

export const SITE_URL = 'http://localhost:4321'

/**
 * Builds the site's code, or finds an earlier build. The folder is named after the version of the
 * code.
 */
export async function buildSite(): Promise<string> {
  const config = readConfig({ SITE_URL })
  const folder = join(CACHE_FOLDER, await hashCode({ config, version: () => codeVersion(ROOT) }))
  if (existsSync(folder)) return folder
  await mkdir(CACHE_FOLDER, { recursive: true })
  for (const name of await readdir(CACHE_FOLDER)) {
    const { mtimeMs } = await stat(join(CACHE_FOLDER, name))
    if (mtimeMs < Date.now() - DAY)
      await rm(join(CACHE_FOLDER, name), { recursive: true, force: true })
  }
  const building = await mkdtemp(join(CACHE_FOLDER, 'building-'))
  const outDir = join(building, 'code')
  const signal = new AbortController().signal
  await createSiteBuilder(ROOT, process.env).build({
    outDir,
    siteUrl: SITE_URL,
    publicApiBase: '/api',
    hasServiceWorker: true,
    signal
  })
  await compressFolder(join(outDir, 'client'))
  // Another test process may have finished the same version.
  await rename(outDir, folder).catch(() => undefined)
  await rm(building, { recursive: true })
  return folder
}
