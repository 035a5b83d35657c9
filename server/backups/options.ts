import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError } from '../platform/process/settings.ts'

export const BACKUP_HELP = `Creates an archive of database and pictures. The shop can keep running.

  npm run backup -- [FOLDER] [options]

  FOLDER        folder for the archive (default: DATA_DIR/backups)
  --file FILE   path of the archive, instead of FOLDER
  --keep COUNT  keep only the newest COUNT archives in the folder

The archive contains customers' names, addresses and orders.
Store it privately, and also on another machine.`

export const RESTORE_HELP = `Restores an archive into SQLite or PostgreSQL. Stop the shop first.

  npm run restore -- ARCHIVE [options]

  --force  replace all data if the database is not empty
  --live   this becomes the live shop: payments and mails work at once, without a confirmation`

interface BackupOptions {
  help: boolean
  folder: string
  file: string
  keep: number | undefined
}

const ARCHIVE_SUFFIX = /-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.tar\.gz$/

export function findSurplusArchives(
  names: readonly string[],
  file: string,
  keep: number
): string[] {
  const prefix = basename(file).replace(ARCHIVE_SUFFIX, '')
  const archives = names.filter(
    name => ARCHIVE_SUFFIX.test(name) && name.replace(ARCHIVE_SUFFIX, '') === prefix
  )
  return archives.sort().reverse().slice(keep)
}

export function readBackupOptions(
  args: readonly string[],
  dataDir: string,
  name: string
): BackupOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      file: { type: 'string' },
      keep: { type: 'string' }
    }
  })
  if (positionals.length > 1)
    throw new ConfigError(`Specify only one folder, not ${positionals.join(' and ')}`)
  const file = resolve(values.file ?? join(positionals[0] ?? join(dataDir, 'backups'), name))
  return {
    help: values.help,
    folder: dirname(file),
    file,
    keep: values.keep === undefined ? undefined : parseCount(values.keep)
  }
}

interface RestoreOptions {
  help: boolean
  file: string
  force: boolean
  live: boolean
}

export function readRestoreOptions(args: readonly string[]): RestoreOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      live: { type: 'boolean', default: false }
    }
  })
  const [file, ...others] = positionals
  if (!values.help && (file === undefined || others.length > 0)) {
    throw new ConfigError(
      'Specify one archive, for example ' +
        'npm run restore -- data/backups/palagaram-2026-11-21T04-00-00Z.tar.gz'
    )
  }
  return { ...values, file: resolve(file ?? '') }
}

export function formatCounts(rows: Readonly<Record<string, number>>): string {
  const { products = 0, orders = 0, users = 0 } = rows
  return `${products} products, ${orders} orders, ${users} accounts`
}

function parseCount(value: string): number {
  if (/^[1-9]\d*$/.test(value)) return Number(value)
  throw new ConfigError(`--keep must be a whole number from 1, not ${JSON.stringify(value)}`)
}
