import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { archiveName, formatCounts } from '../backups/archive.ts'
import { makeBackup } from '../backups/make-backup.ts'
import { readConfig, readEnvironment } from '../config.ts'
import { connect } from '../platform/db/connect.ts'
import { LAST_BACKUP, raiseCounterTo } from '../platform/db/counters.ts'
import { createWrite } from '../platform/db/write.ts'
import { runCommand } from '../platform/process/command.ts'

const HELP = `Creates an archive of database and pictures. The shop can keep running.

  npm run backup -- [FOLDER] [options]

  FOLDER        folder for the archive (default: DATA_DIR/backups)
  --file FILE   path of the archive, instead of FOLDER
  --keep COUNT  keep only the newest COUNT archives in the folder

The archive contains customers' names, addresses and orders.
Store it privately, and also on another machine.`

const ARCHIVE_SUFFIX = /-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.tar\.gz$/

await runCommand('Backup failed', backUp)

async function backUp() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean' }, file: { type: 'string' }, keep: { type: 'string' } }
  })
  if (values.help) return console.log(HELP)
  if (positionals.length > 1)
    throw new Error(`Specify only one folder, not ${positionals.join(' and ')}`)
  const { keep } = values
  if (keep !== undefined && !/^[1-9]\d*$/.test(keep))
    throw new Error(`--keep must be a whole number from 1, not ${JSON.stringify(keep)}`)
  const config = readConfig(readEnvironment())
  const { dataDir } = config
  const [folder = join(dataDir, 'backups')] = positionals
  const file = resolve(values.file ?? join(folder, archiveName(Date.now())))
  if (await stat(file).catch(() => undefined)) throw new Error(`${file} already exists`)
  await stat(dataDir).catch(cause => {
    throw new Error(`DATA_DIR ${dataDir} does not exist`, { cause })
  })
  const backup = await makeBackup({ ...config, file }, Date.now)
  const database = connect(config)
  await createWrite(database)(trx => raiseCounterTo(trx, LAST_BACKUP, Date.parse(backup.createdAt)))
  await database.close()
  const { rows, pictures, size, missingPictures } = backup
  const counts = `${formatCounts(rows)}, ${pictures} pictures`
  console.log(`${file}: ${counts}, ${(size / 1e6).toFixed(1)} MB`)
  if (missingPictures.length > 0)
    console.error(
      `Warning: picture files are missing (${missingPictures.length}), ` +
        `for example ${missingPictures[0]}`
    )
  if (keep !== undefined) await deleteOlderArchives(file, Number(keep))
}

async function deleteOlderArchives(file: string, keep: number) {
  const prefix = basename(file).replace(ARCHIVE_SUFFIX, '')
  const archives = (await readdir(dirname(file))).filter(
    name => ARCHIVE_SUFFIX.test(name) && name.replace(ARCHIVE_SUFFIX, '') === prefix
  )
  for (const name of archives.sort().reverse().slice(keep)) await rm(join(dirname(file), name))
}
