import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from '#server/config.ts'

// SITE_URL does not contain the port of this start, because a changed SITE_URL would publish all
// pages again.
const SITE_URL = 'http://localhost:4321'

/** In node_modules, because built code finds its packages from there. */
export const CACHE_FOLDER = join(ROOT, 'node_modules', '.cache', 'palagaram-tests')

export type RunningShop = Awaited<ReturnType<typeof startShop>>

/** The options of `npm start`. With 2 MB, a checkout takes a tenth more CPU time. */
const START_FLAGS = ['--max-semi-space-size=8', '--import', 'tsx']

export interface ShopOptions {
  /** The project to start, by default this one. */
  root?: string
  /** A free port by default. */
  port?: number
  dataDir?: string
  env?: Record<string, string>
  args?: readonly string[]
  timeoutMs?: number
}

/** Starts `server/main.ts` on a free port. Throws the output if it does not reply in time. */
export async function startShop({
  root = '.',
  port: wantedPort,
  dataDir = temporaryFolder(),
  env = {},
  args = [],
  timeoutMs = 300_000
}: ShopOptions = {}) {
  const port = wantedPort ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const startTime = performance.now()
  const child = spawn(process.execPath, [...START_FLAGS, 'server/main.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment(),
      HOST: '127.0.0.1',
      PORT: String(port),
      SITE_URL,
      DATA_DIR: dataDir,
      ...env
    }
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  try {
    const page = url + (args.includes('--api-only') ? '/api/health' : '/')
    await waitForReply(page, child, startTime + timeoutMs)
  } catch (error) {
    await stopProcess(child)
    const lines = output.split('\n').filter(line => !line.includes('"msg":"request"'))
    throw new Error(`The shop did not start: ${String(error)}\n${lines.join('\n')}`)
  }
  return {
    url,
    dataDir,
    pid: child.pid ?? 0,
    /** Time to the first complete page, in ms. */
    startupMs: performance.now() - startTime,
    output: () => output,
    stop: () => stopProcess(child)
  }
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'palagaram-'))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await once(server.close(), 'close')
  if (address === null || typeof address === 'string') throw new Error('The socket has no port')
  return address.port
}

// Passes on only these variables, because other settings of this machine could change the result.
function environment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']
  return Object.fromEntries(
    names.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  )
}

async function waitForReply(url: string, child: ChildProcess, deadline: number) {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`exited with ${child.exitCode ?? child.signalCode}`)
    const isComplete = await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
      async response => response.ok && /<\/html>|"ok"/.test(await response.text()),
      () => false
    )
    if (isComplete) return
    if (performance.now() > deadline) throw new Error('no reply in time')
    await wait(100)
  }
}

async function stopProcess(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exit
  clearTimeout(killTimer)
}
