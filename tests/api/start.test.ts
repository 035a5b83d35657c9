import { readdir, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Session } from '#lib/contract/accounts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { startCommand, type Command } from '../support/command.ts'
import { readConfig } from '#server/config.ts'
import { checkAddress } from '#server/platform/http/server.ts'
import { prepareDataFolder } from '#server/platform/storage/files.ts'
import { prepareDataDir } from '../support/rendered-shop.ts'
import { freePort } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MAIN = ['server/main.ts'] as const
const API_ONLY = ['server/main.ts', '--api-only'] as const
const PUBLISH = ['server/commands/publish.ts'] as const

function start(
  args: Parameters<typeof startCommand>[0],
  settings: Record<string, string>
): Command {
  return startCommand(args, { LOG_LEVEL: 'silent', DEMO_DATA: 'false', ...settings })
}

async function preparedDataDir(): Promise<string> {
  const folder = await temporaryFolder()
  await prepareDataDir(folder)
  return folder
}

async function expectOneLine(started: Command, line: RegExp): Promise<void> {
  expect(await started.waitForExit()).toBe(1)
  expect(started.output()).toMatch(line)
  expect(started.output().trim()).not.toContain('\n')
}

describe('Start fails with a one-line message', () => {
  test('for an invalid setting', async () => {
    await expectOneLine(
      start(MAIN, { PORT: 'many' }),
      /PORT must be .*"many".* for example PORT=4321/
    )
  })

  test('for an unreachable database', async () => {
    const settings = {
      DATA_DIR: await temporaryFolder(),
      DATABASE_URL: 'postgres://shop:hunter2@127.0.0.1:1/shop'
    }
    const started = start(MAIN, settings)
    await expectOneLine(
      started,
      /database postgres:\/\/127\.0\.0\.1:1\/shop can't be prepared: .*ECONNREFUSED/
    )
    expect(started.output()).not.toContain('hunter2')
  })
})

describe('The shop does not start', () => {
  test('with a data folder that cannot be created or written to', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    await expect(prepareDataFolder(join(file, 'data'))).rejects.toThrow(
      /^DATA_DIR .*can't be written to.*ENOTDIR/
    )
    await expect(prepareDataFolder('/proc/self/fd')).rejects.toThrow(
      /^DATA_DIR \/proc\/self\/fd can't be written to/
    )
  })

  test('with a port in use', async () => {
    const server = createServer()
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const config = readConfig({ PORT: String(port) })
    await expect(checkAddress(config)).rejects.toThrow(
      `PORT ${port} is already in use on 127.0.0.1`
    )
  })

  test('with a host address that does not belong to this machine', async () => {
    const config = readConfig({
      HOST: '203.0.113.1',
      PORT: String(await freePort()),
      SANDBOX: 'true'
    })
    await expect(checkAddress(config)).rejects.toThrow(
      'HOST 203.0.113.1 is not an address of this machine'
    )
  })
})

test('The publish command fails with a one-line message if the shop is not running', async () => {
  const settings = { DATA_DIR: await temporaryFolder(), PORT: String(await freePort()) }
  await expectOneLine(
    start(PUBLISH, settings),
    /Publishing failed: nothing answers at .*\/api\/health/
  )
})

test('SIGINT, then SIGTERM stop the shop cleanly while it is publishing', async () => {
  const port = await freePort()
  const started = start(MAIN, { DATA_DIR: await preparedDataDir(), PORT: String(port) })
  const startingPage = await waitForReply(`http://127.0.0.1:${port}/`)
  expect(startingPage.status).toBe(503)
  expect(await startingPage.text()).toContain(MESSAGES.opening)
  // Each signal is also sent twice, because npm forwards the signal that the terminal has already
  // sent.
  const signals = ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGTERM'] as const
  const [code] = await Promise.all(signals.map(signal => started.stop(signal)))
  expect(started.output()).not.toMatch(/error|can't/i)
  expect(code).toBe(0)
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

test('Only the first start prints an administrator password, LOG_FORMAT decides about the log, and files are private', async () => {
  const port = await freePort()
  const dataDir = await preparedDataDir()
  const settings = { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'debug' }
  const passwordLine = /Administrator: (\S+), password: (\S+) \(shown only once\)/
  const first = start(API_ONLY, { ...settings, LOG_FORMAT: 'pretty' })
  await first.waitForOutput(passwordLine)
  const [, email, password] = passwordLine.exec(first.output()) ?? []
  const reply = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password })
  })
  const { user, token } = (await reply.json()) as Session
  expect(user).toMatchObject({ email: 'admin@localhost.test', role: 'admin', verified: true })
  await fetch(`http://127.0.0.1:${port}/api/auth/send-otp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'anita@example.com' })
  })
  const listMails = (): Promise<string[]> => readdir(join(dataDir, 'outbox')).catch(() => [])
  await expect.poll(listMails, { timeout: 10_000 }).toEqual([expect.stringMatching(/\.eml$/)])
  const paths = [
    dataDir,
    join(dataDir, 'outbox'),
    join(dataDir, 'outbox', (await listMails())[0] ?? '')
  ]
  const modes = await Promise.all(paths.map(async path => (await stat(path)).mode & 0o777))
  expect(modes, 'other users of the machine can read nothing').toEqual([0o700, 0o700, 0o600])
  await first.stop('SIGTERM')
  expect(first.output()).toMatch(/^\d\d:\d\d:\d\d Listening on 127\.0\.0\.1:\d+$/m)
  expect(first.output()).not.toMatch(/^\{/m)
  expect(first.output().match(/Administrator:/g)).toHaveLength(1)
  expect(first.output()).not.toContain(token)
  const second = start(API_ONLY, settings)
  await waitForReply(`http://127.0.0.1:${port}/api/health`)
  await fetch(`http://127.0.0.1:${port}/api/auth/logout`, { method: 'POST' })
  await second.waitForOutput(/^\{.*"path":"\/api\/auth\/logout"/m)
  await second.stop('SIGTERM')
  expect(second.output()).not.toMatch(/administrator/i)
})

async function waitForReply(url: string): Promise<Response> {
  for (;;) {
    const reply = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined)
    if (reply) return reply
    await sleep(50)
  }
}
