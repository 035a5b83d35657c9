import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Session } from '#lib/contract/accounts.ts'
import { temporaryDataDir } from '../support/releases.ts'
import { freePort } from '../support/server.ts'

/** Runs the API in a child process until `visit` resolves. Returns the output of the process. */
async function withServer(
  dataDir: string,
  visit: (api: string, output: () => string) => Promise<void>
): Promise<string> {
  const port = String(await freePort())
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, LOG_LEVEL: 'debug', DEMO_DATA: 'false', DATA_DIR: dataDir, PORT: port }
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts', '--api-only'], { env, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  const api = `http://127.0.0.1:${port}/api`
  while (!(await fetch(`${api}/health`).catch(() => undefined))?.ok) await sleep(50)
  await visit(api, () => output)
  const closed = new Promise(resolve => child.once('close', resolve))
  child.kill('SIGTERM')
  await closed
  return output
}

test('The first start prints a valid administrator password, and the second start prints none', async () => {
  const dataDir = await temporaryDataDir()
  const passwordLine = /Administrator: (\S+), password: (\S+) \(shown only once\)/g
  let session: Session | undefined
  const first = await withServer(dataDir, async (api, output) => {
    while (!passwordLine.test(output())) await sleep(50)
    passwordLine.lastIndex = 0
    const [, email, password] = passwordLine.exec(output()) ?? []
    const body = JSON.stringify({ email, password })
    const reply = await fetch(`${api}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body
    })
    session = (await reply.json()) as Session
  })
  expect(session?.user).toMatchObject({ email: 'admin@localhost.test', role: 'admin', verified: true })
  expect(first.match(passwordLine)).toHaveLength(1)
  expect(first).not.toContain(session?.token)
  const second = await withServer(dataDir, async () => sleep(500))
  expect(second).not.toMatch(/administrator/i)
})
