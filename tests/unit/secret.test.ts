import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '#server/config.ts'
import { saveSecretFingerprint, readSecret } from '#server/platform/process/secret.ts'
import { openTestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ownFile = (dataDir: string) => ({ dataDir, shopSecret: undefined })

describe('Stored secret', () => {
  test('is created once for its purpose and shop, even by concurrent calls, and is readable only by its owner', async () => {
    const folder = await temporaryFolder()
    const secrets = await Promise.all([1, 2, 3, 4].map(() => readSecret(ownFile(folder), 'codes')))
    expect(secrets[0]).toHaveLength(32)
    for (const secret of [...secrets, await readSecret(ownFile(folder), 'codes')])
      expect(secret).toEqual(secrets[0])
    expect(await readdir(folder)).toEqual(['codes.secret'])
    const other = ownFile(await temporaryFolder())
    for (const different of [readSecret(other, 'codes'), readSecret(ownFile(folder), 'hooks')])
      expect(await different).not.toEqual(secrets[0])
    expect((await stat(join(folder, 'codes.secret'))).mode & 0o777).toBe(0o600)
  })

  test('if damaged, is reported in one line and not replaced', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'codes.secret'), 'half of it')
    const failure = readSecret(ownFile(folder), 'codes')
    await expect(failure).rejects.toThrow(ConfigError)
    await expect(failure).rejects.toThrow(/codes\.secret is damaged; delete it/)
  })
})

describe('SHOP_SECRET', () => {
  const shopSecret = 'a shared secret of all the nodes of a shop'

  test('gives all nodes the same secrets, one for each purpose, and creates no file', async () => {
    const [one, other] = [await temporaryFolder(), await temporaryFolder()]
    const codes = await readSecret({ dataDir: one, shopSecret }, 'codes')
    expect(codes).toHaveLength(32)
    expect(await readSecret({ dataDir: other, shopSecret }, 'codes')).toEqual(codes)
    expect(await readSecret({ dataDir: one, shopSecret }, 'rebuild')).not.toEqual(codes)
    expect(await readSecret({ dataDir: one, shopSecret: `${shopSecret}!` }, 'codes')).not.toEqual(
      codes
    )
    expect(await readdir(one)).toEqual([])
  })

  test('of a node that differs from the last started one is noticed, also after a change', async () => {
    const { write } = await openTestDatabase('sqlite')
    const start = (secret: string) => write(trx => saveSecretFingerprint(trx, Buffer.from(secret)))
    const results: boolean[] = []
    for (const secret of ['first', 'first', 'changed', 'changed', 'first'])
      results.push(await start(secret))
    expect(results).toEqual([true, true, false, true, false])
  })
})
