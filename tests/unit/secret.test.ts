import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '#server/config.ts'
import { readSecret } from '#server/platform/process/secret.ts'
import { temporaryDataDir } from '../support/releases.ts'

describe('Stored secret', () => {
  test('is created only once by concurrent calls, and is readable only by its owner', async () => {
    const folder = await temporaryDataDir()
    const secrets = await Promise.all([1, 2, 3, 4].map(() => readSecret(folder, 'codes')))
    expect(secrets[0]).toHaveLength(32)
    for (const secret of [...secrets, await readSecret(folder, 'codes')]) expect(secret).toEqual(secrets[0])
    expect(await readdir(folder)).toEqual(['codes.secret'])
    expect((await stat(join(folder, 'codes.secret'))).mode & 0o777).toBe(0o600)
  })

  test('is different for each purpose and each shop', async () => {
    const [firstShop, secondShop] = [await temporaryDataDir(), await temporaryDataDir()]
    const secrets = [
      await readSecret(firstShop, 'codes'),
      await readSecret(firstShop, 'hooks'),
      await readSecret(secondShop, 'codes')
    ].map(secret => secret.toString('hex'))
    expect(new Set(secrets).size).toBe(3)
  })

  test('if damaged, is reported in one line and not replaced', async () => {
    const folder = await temporaryDataDir()
    await writeFile(join(folder, 'codes.secret'), 'half of it')
    const failure: unknown = await readSecret(folder, 'codes').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure)).toMatch(/codes\.secret is damaged; delete it/)
    await chmod(join(folder, 'codes.secret'), 0o600)
  })

  test('cannot be read if the data folder does not exist', async () => {
    await expect(readSecret(join(await temporaryDataDir(), 'nowhere'), 'codes')).rejects.toThrow(
      /^DATA_DIR: .*can't be used/
    )
  })
})
