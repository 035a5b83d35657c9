import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { DOWNLOAD_LIFETIME } from '#lib/time.ts'
import type { Clock } from '../clock.ts'

export interface Downloads {
  create(): Promise<{ ticket: string; file: string }>
  redeem(ticket: string): Promise<FileHandle | undefined>
  deleteExpired(): Promise<void>
}

export const TICKET = /^[A-Za-z0-9_-]{43}$/
const FILE = /^(\d+)-([0-9a-f]{64})\.tar\.gz(?:\.unfinished)?$/

export function createDownloads(dataDir: string, clock: Clock): Downloads {
  const folder = join(dataDir, 'downloads')
  const names = (): Promise<string[]> => readdir(folder).catch(() => [])

  return {
    async create() {
      const ticket = randomBytes(32).toString('base64url')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return { ticket, file: join(folder, `${clock() + DOWNLOAD_LIFETIME}-${hashOf(ticket)}.tar.gz`) }
    },
    async redeem(ticket) {
      const name = (await names()).find(entry => entry.endsWith(`-${hashOf(ticket)}.tar.gz`))
      if (name === undefined || Number(FILE.exec(name)?.[1]) <= clock()) return undefined
      const path = join(folder, name)
      const handle = await open(path).catch(missing)
      // Of concurrent requests, only the one that unlinks the file may read it; the open handle stays readable.
      if (!handle || (await unlink(path).then(() => true, missing))) return handle
      await handle.close()
      return undefined
    },
    async deleteExpired() {
      for (const name of await names()) {
        const until = FILE.exec(name)?.[1]
        if (until !== undefined && Number(until) <= clock()) await rm(join(folder, name), { force: true })
      }
    }
  }
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex')
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
