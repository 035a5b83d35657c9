import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { oneLine } from './progress.ts'

const BYTES = 32

/**
 * A secret that only this shop has, for what must not be guessed by who reads the database. It is made at the first start,
 * of several processes by one, and kept where only the shop's own user can read it. Throws ConfigError.
 */
export async function readSecret(dataDir: string, name: string): Promise<Buffer> {
  const file = join(dataDir, `${name}.secret`)
  try {
    const kept = (await read(file)) ?? (await make(file))
    if (/^[0-9a-f]{64}$/.test(kept)) return Buffer.from(kept, 'hex')
  } catch (cause) {
    throw new ConfigError(`DATA_DIR: ${file} can't be used: ${oneLine(cause)}`, { cause })
  }
  throw new ConfigError(`DATA_DIR: ${file} is damaged; remove it and a new one is made`)
}

async function read(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

// Written elsewhere and then given its name, which fails if it has one: nobody reads half of it or replaces another's.
async function make(file: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(BYTES).toString('hex')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await link(draft, file).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error
  })
  await unlink(draft)
  return (await read(file)) ?? ''
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
