import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError } from '../setting.ts'

export const BACKUP_HELP = `Makes one archive of the shop's database and pictures. The shop may run meanwhile.

  npm run backup -- [FOLDER] [options]

  FOLDER        where the archive is put (DATA_DIR/backups)
  --file FILE   its whole path instead
  --keep COUNT  removes all but the newest archives of the folder

It holds customers' names, addresses and orders: keep it where nobody else can read it, and not only on this machine.`

export const RESTORE_HELP = `Puts back what an archive of "npm run backup" holds, into SQLite or PostgreSQL, whichever it came from. Stop the shop first.

  npm run restore -- ARCHIVE [--force]

  --force  also into a database that holds something: all of it is replaced`

export interface BackupOptions {
  help: boolean
  folder: string
  file: string
  keep: number | undefined
}

const ARCHIVE = /-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.tar\.gz$/

/** 'palagaram-2026-11-21T04-00-00Z.tar.gz', so that names sort by time; `now` in ms. */
export function archiveName(shop: string, now: number): string {
  return `${shop}-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`
}

/** Those of an archive's shop in a list of names that are to go, so that only the newest are kept. */
export function surplusArchives(names: readonly string[], file: string, keep: number): string[] {
  const shop = basename(file).replace(ARCHIVE, '')
  const archives = names.filter(name => ARCHIVE.test(name) && name.replace(ARCHIVE, '') === shop)
  return archives.sort().reverse().slice(keep)
}

/** What stands on the command line. Throws an error of one line. */
export function readBackupOptions(args: readonly string[], dataDir: string, name: string): BackupOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false }, file: { type: 'string' }, keep: { type: 'string' } }
  })
  if (positionals.length > 1) throw new ConfigError(`One folder is enough, not ${positionals.join(' and ')}`)
  const folder = resolve(positionals[0] ?? join(dataDir, 'backups'))
  return {
    help: values.help,
    folder,
    file: values.file === undefined ? join(folder, name) : resolve(values.file),
    keep: values.keep === undefined ? undefined : asCount(values.keep)
  }
}

export interface RestoreOptions {
  help: boolean
  file: string
  force: boolean
}

/** Throws an error of one line. */
export function readRestoreOptions(args: readonly string[]): RestoreOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false }, force: { type: 'boolean', default: false } }
  })
  const [file, ...others] = positionals
  if (!values.help && (file === undefined || others.length > 0)) {
    throw new ConfigError(
      'Name one archive, for example npm run restore -- data/backups/palagaram-2026-11-21T04-00-00Z.tar.gz'
    )
  }
  return { ...values, file: resolve(file ?? '') }
}

function asCount(value: string): number {
  if (/^[1-9]\d*$/.test(value)) return Number(value)
  throw new ConfigError(`--keep must be a whole number from 1, not ${JSON.stringify(value)}`)
}
