import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import { ConfigError, readEnvironment, toLocalApiUrl, readConfig, ROOT, type Config } from '../config.ts'
import { oneLine } from '../platform/process/progress.ts'
import { onFirstSignal } from '../platform/process/shutdown.ts'

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
  const env = readEnvironment()
  const config = readConfig(env)
  if (!(await isPortFree(config.host, config.port))) {
    throw new ConfigError(`PORT ${config.port} is already in use on ${config.host}, choose another`)
  }
  const api = { host: '127.0.0.1', port: await findFreePort(config.port) }
  const tsx = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs')
  const settings = { ...env, SITE_URL: config.siteUrl, HOST: api.host, PORT: String(api.port) }
  startChild([tsx, 'watch', '--clear-screen=false', 'server/main.ts', '--api-only'], settings)
  await waitForApi(`${toLocalApiUrl(api)}/health`)
  startChild(
    [join(ROOT, 'node_modules', 'astro', 'astro.js'), 'dev', '--host', config.host, '--port', String(config.port)],
    {
      ...env,
      ASTRO_TELEMETRY_DISABLED: '1',
      BUILD_API_BASE: toLocalApiUrl(api),
      DEV_API: new URL(toLocalApiUrl(api)).origin,
      SITE_URL: config.siteUrl,
      PUBLIC_API_BASE: config.publicApiBase
    }
  )
}

function startChild(args: readonly string[], env: NodeJS.ProcessEnv): void {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] })
  children.push(child)
  child.once('exit', code => end(code ?? 0))
}

function end(code: number): void {
  // Keeps the exit code of the first child, because the killed children exit with other codes.
  process.exitCode ??= code
  for (const child of children) child.kill('SIGTERM')
}

async function waitForApi(address: string): Promise<void> {
  while (!(await fetch(address).catch(() => undefined))?.ok) await sleep(SECOND / 4)
}

async function findFreePort(port: number): Promise<number> {
  for (let candidate = port + 1; candidate <= port + MAX_PORT_ATTEMPTS; candidate++) {
    if (await isPortFree('127.0.0.1', candidate)) return candidate
  }
  throw new ConfigError(`No port is free between ${port + 1} and ${port + MAX_PORT_ATTEMPTS}`)
}

function isPortFree(host: Config['host'], port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
