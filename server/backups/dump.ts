import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pictureFiles } from '#lib/images.ts'
import { CODE_MAIL } from '../mails/code-mail.ts'
import { PICTURES_FOLDER, tableFile, TABLES_FOLDER } from './manifest.ts'
import type { Snapshot } from './snapshot.ts'
import { KEPT_TABLES, type Row } from './tables.ts'

/** The pictures that a shop speaks of: the width of each, by its key. */
export type Pictures = Map<string, number>

export interface Dump {
  /** How many rows each table has. */
  rows: Record<string, number>
  pictures: Pictures
}

const KEY = /^[A-Za-z0-9][A-Za-z0-9_-]*$/

/** Writes each table into a file of its own, a row a line, as JSON. */
export async function dumpTables(snapshot: Snapshot, folder: string): Promise<Dump> {
  const dump: Dump = { rows: {}, pictures: new Map() }
  await mkdir(join(folder, TABLES_FOLDER))
  for (const table of KEPT_TABLES.filter(name => snapshot.tables.has(name))) {
    dump.rows[table] = 0
    const lines = async function* (): AsyncGenerator<string> {
      for await (const batch of snapshot.rows(table)) {
        const rows = batch.filter(row => isKept(table, row))
        for (const row of rows) notePicture(table, row, dump.pictures)
        dump.rows[table] = (dump.rows[table] ?? 0) + rows.length
        yield rows.map(row => `${JSON.stringify(row)}\n`).join('')
      }
    }
    await pipeline(lines, createWriteStream(join(folder, tableFile(table)), { flush: true }))
  }
  return dump
}

/** Puts every form of the pictures into a folder beside it; answers the files that are not there. */
export async function gatherPictures(pictures: Pictures, assets: string, folder: string): Promise<string[]> {
  const missing: string[] = []
  await mkdir(join(folder, PICTURES_FOLDER))
  for (const [key, width] of pictures) {
    for (const file of pictureFiles(key, width)) {
      const found = await lay(join(assets, file), join(folder, PICTURES_FOLDER, file))
      if (!found) missing.push(file)
    }
  }
  return missing
}

// A second name costs nothing, and keeps the content whatever is removed meanwhile; some disks know none.
async function lay(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch(() => copyFile(from, to))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

// Their mails hold the codes themselves.
function isKept(table: string, row: Row): boolean {
  return table !== 'outbox' || !String(row['id']).startsWith(CODE_MAIL)
}

function notePicture(table: string, row: Row, pictures: Pictures): void {
  if (table === 'pictures') note(pictures, row)
  if (table === 'order_lines' && typeof row['picture'] === 'string') note(pictures, JSON.parse(row['picture']))
}

function note(pictures: Pictures, picture: unknown): void {
  const { key, width } = (picture ?? {}) as Row
  if (typeof key === 'string' && KEY.test(key) && typeof width === 'number') pictures.set(key, width)
}
