import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MESSAGES } from '#lib/messages.ts'
import { temporaryDataDir } from '../support/releases.ts'
import { freePort } from '../support/server.ts'

interface Outcome {
  code: number | null
  output: string
}

interface Command {
  signal(name: NodeJS.Signals): void
  ended: Promise<Outcome>
}

/** Runs a command in a child process without the settings of this process. */
function start(command: 'main' | 'publish', settings: Record<string, string>): Command {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    LOG_LEVEL: 'silent',
    DEMO_DATA: 'false',
    ...settings
  }
  const child = spawn(process.execPath, ['--import', 'tsx', `server/${command}.ts`], { env, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    signal: name => void child.kill(name),
    ended: new Promise(resolve => void child.once('close', code => resolve({ code, output: output.trim() })))
  }
}

async function expectOneLine(started: Command, line: RegExp): Promise<void> {
  const { code, output } = await started.ended
  expect(output).toMatch(line)
  const errorLines = output.split('\n').filter(text => !text.startsWith('Preparing pictures'))
  expect(errorLines).toHaveLength(1)
  expect(code).toBe(1)
}

describe('Start fails with a one-line message', () => {
  test('for an invalid setting', async () => {
    await expectOneLine(start('main', { PORT: 'many' }), /PORT must be .*"many".* for example PORT=4321/)
  })

  test('for an unreachable database', async () => {
    const settings = { DATA_DIR: await temporaryDataDir(), DATABASE_URL: 'postgres://shop:hunter2@127.0.0.1:1/shop' }
    const started = start('main', settings)
    await expectOneLine(started, /database postgres:\/\/127\.0\.0\.1:1\/shop can't be prepared: .*ECONNREFUSED/)
    expect((await started.ended).output).not.toContain('hunter2')
  })

  test('for a data folder that cannot be created', async () => {
    const file = join(await temporaryDataDir(), 'file')
    await writeFile(file, '')
    await expectOneLine(start('main', { DATA_DIR: join(file, 'data') }), /DATA_DIR .*can't be written to.*ENOTDIR/)
  })

  test('for a data folder that cannot be written to', async () => {
    await expectOneLine(start('main', { DATA_DIR: '/proc/self/fd' }), /DATA_DIR \/proc\/self\/fd can't be written to/)
  })

  test('for a port in use', async () => {
    const server = createServer()
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const started = start('main', { DATA_DIR: await temporaryDataDir(), PORT: String(port) })
    await expectOneLine(started, new RegExp(`PORT ${port} is already in use on 127\\.0\\.0\\.1`))
  })

  test('for a host address that does not belong to this machine', async () => {
    const settings = { DATA_DIR: await temporaryDataDir(), HOST: '203.0.113.1', PORT: String(await freePort()) }
    await expectOneLine(start('main', settings), /HOST 203\.0\.113\.1 is not an address of this machine/)
  })
})

test('The publish command fails with a one-line message if the shop is not running', async () => {
  const settings = { DATA_DIR: await temporaryDataDir(), PORT: String(await freePort()) }
  await expectOneLine(start('publish', settings), /Publishing failed: nothing answers at .*\/api\/health/)
})

test.for(['SIGTERM', 'SIGINT'] as const)('%s stops the shop cleanly while it is publishing', async signal => {
  const port = await freePort()
  const started = start('main', { DATA_DIR: await temporaryDataDir(), PORT: String(port) })
  const startingPage = await waitForReply(`http://127.0.0.1:${port}/`)
  expect(startingPage.status).toBe(503)
  expect(await startingPage.text()).toContain(MESSAGES.opening)
  started.signal(signal)
  // The signal is sent twice, because npm forwards the signal that the terminal has already sent.
  started.signal(signal)
  const { code, output } = await started.ended
  expect(output).not.toMatch(/error|can't/i)
  expect(code).toBe(0)
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

test.for(['pretty', 'json'] as const)('The server writes its log in the format %s', async format => {
  const port = await freePort()
  const settings = { DATA_DIR: await temporaryDataDir(), PORT: String(port), LOG_LEVEL: 'info' }
  const started = start('main', { ...settings, ...(format === 'pretty' && { LOG_FORMAT: format }) })
  await waitForReply(`http://127.0.0.1:${port}/`)
  await fetch(`http://127.0.0.1:${port}/api/auth/logout`, { method: 'POST' })
  started.signal('SIGTERM')
  const { output } = await started.ended
  const json = output.split('\n').filter(line => line.startsWith('{'))
  expect(json.filter(line => line.includes('"path":"/api/auth/logout"'))).toHaveLength(format === 'json' ? 1 : 0)
  if (format === 'pretty') {
    expect(json).toEqual([])
    expect(output).toMatch(/^\d\d:\d\d:\d\d Listening on 127\.0\.0\.1:\d+$/m)
    expect(output).not.toContain('/api/auth/logout')
  }
})

async function waitForReply(url: string): Promise<Response> {
  for (;;) {
    const reply = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined)
    if (reply) return reply
    await sleep(50)
  }
}
