import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openReleases } from '#server/publishing/release/store.ts'
import { openDatabase } from './database.ts'
import { publishRelease, SMALL_SITE, type SiteFiles } from './releases.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface SiteReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  raw: Buffer
  text: string
}

export interface SiteClient {
  get(path: string, headers?: Record<string, string>): Promise<SiteReply>
  request(method: string, path: string, headers?: Record<string, string>): Promise<SiteReply>
  dataDir: string
  /** Log lines that a test expects must be removed from here. */
  warnings: string[]
  /** Advances the clock of the release check, in ms. */
  advanceClock(ms: number): void
}

/** `files: null` starts a site without a published release. */
export async function openSite(files: SiteFiles | null = SMALL_SITE): Promise<SiteClient> {
  const dataDir = await temporaryFolder()
  if (files) await publishRelease(dataDir, files)
  let ticks = 0
  const releases = openReleases(dataDir, () => ticks)
  const { database, write, close } = await openDatabase('sqlite')
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  const warnings: string[] = []
  const logTarget = { write: (line: string): void => void warnings.push(line) }
  const app = await buildApp({
    config,
    database,
    write,
    clock: Date.now,
    site: { releases },
    logTarget
  })
  onTestFinished(async () => {
    await app.close()
    await close()
    expect(warnings).toEqual([])
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const sendRequest: SiteClient['request'] = (method, path, headers = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, method, path, headers, agent: false },
        response => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const raw = Buffer.concat(chunks)
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              raw,
              text: raw.toString()
            })
          })
        }
      )
      sent.on('error', reject).end()
    })
  return {
    request: sendRequest,
    get: (path, headers) => sendRequest('GET', path, headers),
    dataDir,
    warnings,
    advanceClock: ms => void (ticks += ms)
  }
}
