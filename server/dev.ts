import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import { ConfigError, environment, localApi, readConfig, ROOT, type Config } from './config.ts'
import { oneLine } from './progress.ts'
import { onFirstSignal } from './shutdown.ts'

const MOST_LOOKS_FOR_A_PORT = 20

const children: ChildProcess[] = []

onFirstSignal(() => end(0))

try {
  await develop()
} catch (error) {
  console.error(`Can't start: ${oneLine(error)}`)
  end(1)
}

/** The calls in one process that starts again when code changes, and before it `astro dev`, which passes them on. */
async function develop(): Promise<void> {
  const env = environment()
  const config = readConfig(env)
  if (!(await isFree(config.host, config.port))) {
    throw new ConfigError(`PORT ${config.port} is already in use on ${config.host}, choose another`)
  }
  const api = { host: '127.0.0.1', port: await freePortAfter(config.port) }
  const tsx = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs')
  const settings = { ...env, SITE_URL: config.siteUrl, HOST: api.host, PORT: String(api.port) }
  start([tsx, 'watch', '--clear-screen=false', 'server/main.ts', '--api-only'], settings)
  await answering(`${localApi(api)}/health`)
  start(
    [join(ROOT, 'node_modules', 'astro', 'astro.js'), 'dev', '--host', config.host, '--port', String(config.port)],
    {
      ...env,
      ASTRO_TELEMETRY_DISABLED: '1',
      BUILD_API_BASE: localApi(api),
      DEV_API: new URL(localApi(api)).origin,
      SITE_URL: config.siteUrl,
      PUBLIC_API_BASE: config.publicApiBase
    }
  )
}

function start(args: readonly string[], env: NodeJS.ProcessEnv): void {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] })
  children.push(child)
  // One without the other is no shop.
  child.once('exit', code => end(code ?? 0))
}

function end(code: number): void {
  // The first reason counts: what is told to end ends with a code of its own.
  process.exitCode ??= code
  for (const child of children) child.kill('SIGTERM')
}

/** Waits as long as it takes: the first start seeds the demo, a typing error is mended and saved. */
async function answering(address: string): Promise<void> {
  while (!(await fetch(address).catch(() => undefined))?.ok) await sleep(SECOND / 4)
}

async function freePortAfter(port: number): Promise<number> {
  for (let candidate = port + 1; candidate <= port + MOST_LOOKS_FOR_A_PORT; candidate++) {
    if (await isFree('127.0.0.1', candidate)) return candidate
  }
  throw new ConfigError(`No port is free between ${port + 1} and ${port + MOST_LOOKS_FOR_A_PORT}`)
}

function isFree(host: Config['host'], port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
