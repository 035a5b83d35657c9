import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { listPictureFiles } from '#lib/images.ts'
import { CODE_MAIL_PREFIX } from '../accounts/code-mail.ts'
import { PICTURES_FOLDER, tableFile, TABLES_FOLDER } from './manifest.ts'
import type { Snapshot } from './snapshot.ts'
import { BACKUP_TABLES, type Row } from './tables.ts'

export type PictureWidths = Map<string, number>

export interface Dump {
  rows: Record<string, number>
  pictures: PictureWidths
}

const PICTURE_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]*$/

export async function dumpTables(snapshot: Snapshot, folder: string): Promise<Dump> {
  const dump: Dump = { rows: {}, pictures: new Map() }
  await mkdir(join(folder, TABLES_FOLDER))
  for (const table of BACKUP_TABLES.filter(name => snapshot.tables.has(name))) {
    dump.rows[table] = 0
    const lines = async function* (): AsyncGenerator<string> {
      for await (const batch of snapshot.rows(table)) {
        const rows = batch.filter(row => isIncluded(table, row))
        for (const row of rows) addReferencedPicture(table, row, dump.pictures)
        dump.rows[table] = (dump.rows[table] ?? 0) + rows.length
        yield rows.map(row => `${JSON.stringify(row)}\n`).join('')
      }
    }
    await pipeline(lines, createWriteStream(join(folder, tableFile(table)), { flush: true }))
  }
  return dump
}

export async function copyPictures(pictures: PictureWidths, assets: string, folder: string): Promise<string[]> {
  const missing: string[] = []
  await mkdir(join(folder, PICTURES_FOLDER))
  for (const [key, width] of pictures) {
    for (const file of listPictureFiles(key, width)) {
      const exists = await linkOrCopy(join(assets, file), join(folder, PICTURES_FOLDER, file))
      if (!exists) missing.push(file)
    }
  }
  return missing
}

// Uses a hard link, because it copies no data. If the file system has no hard links, copies the file.
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch(() => copyFile(from, to))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

// Mails with login codes are left out, because they contain the code in plain text.
function isIncluded(table: string, row: Row): boolean {
  return table !== 'outbox' || !String(row['id']).startsWith(CODE_MAIL_PREFIX)
}

function addReferencedPicture(table: string, row: Row, pictures: PictureWidths): void {
  if (table === 'pictures') addPicture(pictures, row)
  if (table === 'order_lines' && typeof row['picture'] === 'string') addPicture(pictures, JSON.parse(row['picture']))
}

function addPicture(pictures: PictureWidths, picture: unknown): void {
  const { key, width } = (picture ?? {}) as Row
  if (typeof key === 'string' && PICTURE_KEY.test(key) && typeof width === 'number') pictures.set(key, width)
}
