import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { DOWNLOAD_LIFETIME } from '#lib/time.ts'
import type { Clock } from '../clock.ts'

/** Archives that wait to be fetched, in a folder of the shop: any of its processes can hand them out. */
export interface Downloads {
  /** Where an archive is to be put for who holds the ticket, which is told to nobody else. */
  offer(): Promise<{ ticket: string; file: string }>
  /** Hands an archive out, once; undefined for a ticket that is wrong, used or too old. */
  take(ticket: string): Promise<FileHandle | undefined>
  /** Removes what was not fetched in time. */
  forget(): Promise<void>
}

export const TICKET = /^[A-Za-z0-9_-]{43}$/
const FILE = /^(\d+)-([0-9a-f]{64})\.tar\.gz(?:\.unfinished)?$/

export function createDownloads(dataDir: string, clock: Clock): Downloads {
  const folder = join(dataDir, 'downloads')
  const names = (): Promise<string[]> => readdir(folder).catch(() => [])

  return {
    async offer() {
      const ticket = randomBytes(32).toString('base64url')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return { ticket, file: join(folder, `${clock() + DOWNLOAD_LIFETIME}-${hashOf(ticket)}.tar.gz`) }
    },
    async take(ticket) {
      const name = (await names()).find(entry => entry.endsWith(`-${hashOf(ticket)}.tar.gz`))
      if (name === undefined || Number(FILE.exec(name)?.[1]) <= clock()) return undefined
      const path = join(folder, name)
      const handle = await open(path).catch(missing)
      // Of two who hold it open one removes its name; the content stays until it has been read.
      if (!handle || (await unlink(path).then(() => true, missing))) return handle
      await handle.close()
      return undefined
    },
    async forget() {
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
