import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '#server/config.ts'
import { readSecret } from '#server/secret.ts'
import { dataFolder } from '../support/releases.ts'

describe('the secret of a shop', () => {
  test('is made once, also by several who start at once, and kept where only its user reads it', async () => {
    const folder = await dataFolder()
    const secrets = await Promise.all([1, 2, 3, 4].map(() => readSecret(folder, 'codes')))
    expect(secrets[0]).toHaveLength(32)
    for (const secret of [...secrets, await readSecret(folder, 'codes')]) expect(secret).toEqual(secrets[0])
    expect(await readdir(folder)).toEqual(['codes.secret'])
    expect((await stat(join(folder, 'codes.secret'))).mode & 0o777).toBe(0o600)
  })

  test('differs by what it is for, and from shop to shop', async () => {
    const [here, there] = [await dataFolder(), await dataFolder()]
    const secrets = [
      await readSecret(here, 'codes'),
      await readSecret(here, 'hooks'),
      await readSecret(there, 'codes')
    ].map(secret => secret.toString('hex'))
    expect(new Set(secrets).size).toBe(3)
  })

  test('that is damaged is named in one line, and not replaced', async () => {
    const folder = await dataFolder()
    await writeFile(join(folder, 'codes.secret'), 'half of it')
    const failure: unknown = await readSecret(folder, 'codes').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure)).toMatch(/codes\.secret is damaged; remove it/)
    await chmod(join(folder, 'codes.secret'), 0o600)
  })

  test('can’t be had from a folder that is not there', async () => {
    await expect(readSecret(join(await dataFolder(), 'nowhere'), 'codes')).rejects.toThrow(/^DATA_DIR: .*can't be used/)
  })
})
