import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import { ConfigError, environment, localApi, readConfig, ROOT, type Config } from './config.ts'
import { oneLine } from './progress.ts'
import { onFirstSignal } from './shutdown.ts'

const MAX_PORT_ATTEMPTS = 20

const children: ChildProcess[] = []

onFirstSignal(() => end(0))

try {
  await develop()
} catch (error) {
  console.error(`Can't start: ${oneLine(error)}`)
  end(1)
}

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
  await waitForApi(`${localApi(api)}/health`)
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
  child.once('exit', code => end(code ?? 0))
}

function end(code: number): void {
  // Keep the first exit code: children that are killed exit with their own.
  process.exitCode ??= code
  for (const child of children) child.kill('SIGTERM')
}

async function waitForApi(address: string): Promise<void> {
  while (!(await fetch(address).catch(() => undefined))?.ok) await sleep(SECOND / 4)
}

async function freePortAfter(port: number): Promise<number> {
  for (let candidate = port + 1; candidate <= port + MAX_PORT_ATTEMPTS; candidate++) {
    if (await isFree('127.0.0.1', candidate)) return candidate
  }
  throw new ConfigError(`No port is free between ${port + 1} and ${port + MAX_PORT_ATTEMPTS}`)
}

function isFree(host: Config['host'], port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
