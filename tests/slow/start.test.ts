import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Session } from '#lib/contract/accounts.ts'
import { startCommand } from '../support/command.ts'
import { prepareDataDir } from '../support/rendered-shop.ts'
import { freePort } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function start(settings: Record<string, string>, ...options: string[]) {
  const quiet = { LOG_LEVEL: 'silent', DEMO_DATA: 'false' }
  return startCommand(['server/main.ts', ...options], { ...quiet, ...settings })
}

async function preparedDataDir() {
  const folder = await temporaryFolder()
  await prepareDataDir(folder)
  return folder
}

async function waitForReply(url: string) {
  for (;;) {
    const reply = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined)
    if (reply) return reply
    await sleep(50)
  }
}

test('The publish command fails with a one-line message if the shop is not running', async () => {
  const settings = {
    DATA_DIR: await temporaryFolder(),
    PORT: String(await freePort()),
    LOG_LEVEL: 'silent'
  }
  const started = startCommand(['server/commands/publish.ts'], settings)
  expect(await started.waitForExit()).toBe(1)
  expect(started.output().trim()).toMatch(
    /^.*Publishing failed: nothing answers at .*\/api\/health.*$/
  )
})

test('SIGINT, then SIGTERM stop the shop cleanly while it is publishing', async () => {
  const port = await freePort()
  const started = start({ DATA_DIR: await preparedDataDir(), PORT: String(port) })
  const startingPage = await waitForReply(`http://127.0.0.1:${port}/`)
  expect(startingPage.status).toBe(503)
  expect(await startingPage.text()).toContain('The shop is opening')
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
  const post = (path: string, body: object) =>
    fetch(`http://127.0.0.1:${port}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  const passwordLine = /Administrator: (\S+), password: (\S+) \(shown only once\)/
  const first = start({ ...settings, LOG_FORMAT: 'pretty' }, '--api-only')
  await first.waitForOutput(passwordLine)
  const [, email, password] = passwordLine.exec(first.output()) ?? []
  const { user, token } = (await (await post('login', { email, password })).json()) as Session
  expect(user).toMatchObject({ email: 'admin@localhost.test', role: 'admin', verified: true })
  await post('send-otp', { email: 'anita@example.com' })
  const outbox = join(dataDir, 'outbox')
  const listMails = () => readdir(outbox).catch(() => [])
  await expect.poll(listMails, { timeout: 10_000 }).toEqual([expect.stringMatching(/\.eml$/)])
  const paths = [dataDir, outbox, join(outbox, (await listMails())[0] ?? '')]
  const modes = await Promise.all(paths.map(async path => (await stat(path)).mode & 0o777))
  expect(modes, 'other users of the machine can read nothing').toEqual([0o700, 0o700, 0o600])
  await first.stop('SIGTERM')
  expect(first.output()).toMatch(/^\d\d:\d\d:\d\d Listening on 127\.0\.0\.1:\d+$/m)
  expect(first.output()).not.toMatch(/^\{/m)
  expect(first.output().match(/Administrator:/g)).toHaveLength(1)
  expect(first.output()).not.toContain(token)
  const second = start(settings, '--api-only')
  await waitForReply(`http://127.0.0.1:${port}/api/health`)
  await post('logout', {})
  await second.waitForOutput(/^\{.*"path":"\/api\/auth\/logout"/m)
  await second.stop('SIGTERM')
  expect(second.output()).not.toMatch(/administrator/i)
})
