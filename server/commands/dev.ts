import { dev } from 'astro'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PATHS } from '#lib/paths.ts'
import { SECOND } from '#lib/time.ts'
import { readConfig, readEnvironment, ROOT, toLocalOrigin } from '../config.ts'
import { oneLine, onFirstSignal } from '../platform/process/command.ts'

const TSX = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs')

try {
  await develop()
} catch (error) {
  console.error(`Can't start: ${oneLine(error)}`)
  process.exit(1)
}

async function develop() {
  const env = readEnvironment()
  const config = readConfig(env)
  const api = { host: '127.0.0.1', port: await findFreePort() }
  const child = spawn(
    process.execPath,
    [TSX, 'watch', '--clear-screen=false', 'server/main.ts', '--api-only'],
    {
      cwd: ROOT,
      env: { ...env, SITE_URL: config.siteUrl, HOST: api.host, PORT: String(api.port) },
      stdio: ['ignore', 'inherit', 'inherit']
    }
  )
  child.once('exit', code => process.exit(code ?? 0))
  process.once('exit', () => child.kill('SIGTERM'))
  onFirstSignal(() => child.kill('SIGTERM'))
  const origin = toLocalOrigin(api)
  while (!(await fetch(`${origin}/api/health`).catch(() => undefined))?.ok) await sleep(SECOND / 4)
  // `astro.config.mjs` and the pages read these variables.
  Object.assign(process.env, env, {
    ASTRO_TELEMETRY_DISABLED: '1',
    BUILD_API_BASE: `${origin}/api`,
    DEV_API: origin,
    SITE_URL: config.siteUrl,
    PUBLIC_API_BASE: config.publicApiBase
  })
  const { host, port } = config
  console.log(`All emails: ${config.siteUrl}${PATHS.adminSettings}?section=emails`)
  await dev({ root: ROOT, server: { host, port }, vite: { server: { strictPort: true } } })
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
