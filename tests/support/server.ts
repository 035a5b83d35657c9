import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

// The port differs from start to start. Were the pages' own address to differ too, each start would publish anew.
const SITE_URL = 'http://localhost:4321'

/** A real shop in a process of its own. */
export interface RunningShop {
  url: string
  dataDir: string
  pid: number
  /** From the start of the process to the first complete home page, in ms. */
  startedIn: number
  /** Everything it said on stdout and stderr so far. */
  output(): string
  stop(): Promise<void>
}

interface ShopOptions {
  /** Where an earlier shop kept its data; a new temporary folder unless given. */
  dataDir?: string
  env?: Record<string, string>
  /** For `server/main.ts`. */
  args?: readonly string[]
  /** How long the site may take to be served, in ms. */
  timeoutMs?: number
}

/** Starts `server/main.ts` on a free port and waits until the published home page is served. Throws what it said if not. */
export async function startShop({
  dataDir = temporaryFolder(),
  env = {},
  args = [],
  timeoutMs: patience = 300_000
}: ShopOptions = {}): Promise<RunningShop> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment(), HOST: '127.0.0.1', PORT: String(port), SITE_URL, DATA_DIR: dataDir, ...env }
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  try {
    await waitForHomePage(url, child, began + patience)
  } catch (error) {
    await stopProcess(child)
    const lines = said.split('\n').filter(line => !line.includes('"msg":"request"'))
    throw new Error(`The shop did not start: ${String(error)}\n${lines.join('\n')}`)
  }
  return {
    url,
    dataDir,
    pid: child.pid ?? 0,
    startedIn: performance.now() - began,
    output: () => said,
    stop: () => stopProcess(child)
  }
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'palagaram-'))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('A listening socket has no port')
  return address.port
}

// The shop must behave as on a fresh machine: settings of the one who tests, and of the test runner, stay outside.
function environment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']
  return Object.fromEntries(names.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}

async function waitForHomePage(url: string, child: ChildProcess, until: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`)
    const page = await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
      async response => (response.ok ? response.text() : ''),
      () => ''
    )
    if (page.includes('</html>')) return
    if (performance.now() > until) throw new Error('no home page was served in time')
    await wait(100)
  }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(killTimer)
}
