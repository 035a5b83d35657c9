import { stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { checkAddress } from '#server/platform/http/server.ts'
import { prepareDataFolder } from '#server/platform/storage/files.ts'
import { startCommand } from '../support/command.ts'
import { freePort } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('The start fails with a one-line message for an unreachable database', async () => {
  const started = startCommand(['server/main.ts'], {
    LOG_LEVEL: 'silent',
    DATA_DIR: await temporaryFolder(),
    DATABASE_URL: 'postgres://shop:hunter2@127.0.0.1:1/shop'
  })
  expect(await started.waitForExit()).toBe(1)
  expect(started.output().trim()).toMatch(
    /^.*database postgres:\/\/127\.0\.0\.1:1\/shop can't be prepared: .*ECONNREFUSED.*$/
  )
  expect(started.output()).not.toContain('hunter2')
})

describe('The shop does not start', () => {
  test('with a data folder that cannot be created or written to', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(prepareDataFolder(join(file, 'data'))).rejects.toThrow(
      /^DATA_DIR .*can't be written to.*ENOTDIR/
    )
    await expect(prepareDataFolder('/proc/self/fd')).rejects.toThrow(
      /^DATA_DIR \/proc\/self\/fd can't be written to/
    )
    await prepareDataFolder(join(folder, 'data'))
    const { mode } = await stat(join(folder, 'data'))
    expect(mode & 0o777, 'other users of the machine can read nothing').toBe(0o700)
  })

  test('with a port in use, or an address that does not belong to this machine', async () => {
    const server = createServer()
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await expect(checkAddress(readConfig({ PORT: String(port) }))).rejects.toThrow(
      `PORT ${port} is already in use on 127.0.0.1`
    )
    const settings = { HOST: '203.0.113.1', PORT: String(await freePort()), SANDBOX: 'true' }
    await expect(checkAddress(readConfig(settings))).rejects.toThrow(
      'HOST 203.0.113.1 is not an address of this machine'
    )
  })
})
