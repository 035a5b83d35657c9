import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  randomUUID,
  timingSafeEqual
} from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { raiseCounterTo } from '../db/counters.ts'
import type { Trx } from '../db/tables.ts'
import { oneLine } from './command.ts'
import { ConfigError } from './settings.ts'
import { ignoreMissing } from '../storage/files.ts'

const SECRET_BYTES = 32
const FINGERPRINT = 'fingerprint of the secret'
/** The largest number of bytes whose value is exact in JavaScript. */
const FINGERPRINT_BYTES = 6
// Leaves out 0, 1, I, L, O and U, which look like other characters.
const READABLE_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

export type RandomInt = (min: number, limit: number) => number

export function randomText(length: number): string {
  return Array.from(
    { length },
    () => READABLE_CHARACTERS[randomInt(READABLE_CHARACTERS.length)]
  ).join('')
}

export interface SecretSettings {
  dataDir: string
  shopSecret: string | undefined
}

/** Derived from SHOP_SECRET for all nodes, else a file in DATA_DIR. */
export async function readSecret(
  { dataDir, shopSecret }: SecretSettings,
  name: string
): Promise<Buffer> {
  if (shopSecret !== undefined)
    return Buffer.from(hkdfSync('sha256', shopSecret, '', name, SECRET_BYTES))
  const file = join(dataDir, `${name}.secret`)
  try {
    const secret = (await readFile(file, 'utf8').catch(ignoreMissing)) ?? (await createSecret(file))
    if (/^[0-9a-f]{64}\s*$/.test(secret)) return Buffer.from(secret.trim(), 'hex')
  } catch (cause) {
    throw new ConfigError(`DATA_DIR: ${file} can't be used: ${oneLine(cause)}`, { cause })
  }
  throw new ConfigError(`DATA_DIR: ${file} is damaged; delete it to create a new one`)
}

/** Returns false if the node that started last has another secret. */
export async function saveSecretFingerprint(trx: Trx, secret: Buffer): Promise<boolean> {
  const value = createHash('sha256')
    .update('fingerprint')
    .update(secret)
    .digest()
    .readUIntBE(0, FINGERPRINT_BYTES)
  const { numUpdatedRows } = await trx
    .updateTable('counters')
    .set({ value })
    .where('name', '=', FINGERPRINT)
    .where('value', '!=', value)
    .executeTakeFirstOrThrow()
  await raiseCounterTo(trx, FINGERPRINT, value)
  return numUpdatedRows === 0n
}

// The link fails if `file` exists, so concurrent processes use the secret of the first one.
async function createSecret(file: string) {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, {
    flag: 'wx',
    mode: 0o600,
    flush: true
  })
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return readFile(file, 'utf8')
}

const CIPHER = 'aes-256-gcm'
const [NONCE_BYTES, TAG_BYTES] = [12, 16]

/** Encrypts a text that only `unseal` with the same key and purpose can read. */
export function seal(key: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose))
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(parts).toString('base64url')
}

/** Undefined if it was sealed with another key, as in a backup that was restored elsewhere. */
export function unseal(key: Buffer, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const SIGNATURE_PATTERN = /^sha256=([0-9a-f]{64})$/i

export function isValidSignature(
  secret: string,
  payload: Buffer | string,
  header: string | string[] | undefined
): boolean {
  const signature = SIGNATURE_PATTERN.exec(String(header ?? ''))?.[1]
  if (signature === undefined) return false
  return timingSafeEqual(
    createHmac('sha256', secret).update(payload).digest(),
    Buffer.from(signature, 'hex')
  )
}
