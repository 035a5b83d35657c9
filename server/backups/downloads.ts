import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { DOWNLOAD_LIFETIME } from '#lib/time.ts'
import type { Clock } from '../platform/process/clock.ts'

export interface Downloads {
  create(): Promise<{ ticket: string; file: string }>
  redeem(ticket: string): Promise<FileHandle | undefined>
  deleteExpired(): Promise<void>
}

export const TICKET_PATTERN = /^[A-Za-z0-9_-]{43}$/
const FILE_PATTERN = /^(\d+)-([0-9a-f]{64})\.tar\.gz(?:\.unfinished)?$/

export function createDownloads(dataDir: string, clock: Clock): Downloads {
  const folder = join(dataDir, 'downloads')
  const listNames = (): Promise<string[]> => readdir(folder).catch(() => [])

  return {
    async create() {
      const ticket = randomBytes(32).toString('base64url')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return { ticket, file: join(folder, `${clock() + DOWNLOAD_LIFETIME}-${hashTicket(ticket)}.tar.gz`) }
    },
    async redeem(ticket) {
      const name = (await listNames()).find(entry => entry.endsWith(`-${hashTicket(ticket)}.tar.gz`))
      if (name === undefined || Number(FILE_PATTERN.exec(name)?.[1]) <= clock()) return undefined
      const path = join(folder, name)
      const handle = await open(path).catch(ignoreMissing)
      // If several requests use the same ticket, only the one that deletes the file returns its handle. A handle can
      // still be read after the file is deleted.
      if (!handle || (await unlink(path).then(() => true, ignoreMissing))) return handle
      await handle.close()
      return undefined
    },
    async deleteExpired() {
      for (const name of await listNames()) {
        const expiresAt = FILE_PATTERN.exec(name)?.[1]
        if (expiresAt !== undefined && Number(expiresAt) <= clock()) await rm(join(folder, name), { force: true })
      }
    }
  }
}

function hashTicket(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex')
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
