import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeFolder } from './server.ts'

export const hasCaddy = canRun('caddy', 'version')
if (!hasCaddy) console.log('Caddy is not installed, so the tests behind it are skipped')

export function canRun(program: string, argument: string): boolean {
  try {
    execFileSync(program, [argument], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts Caddy with a site of its Caddyfile. Returns a function that stops it. */
export async function startCaddy(site: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'palagaram-caddy-'))
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', '-'], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder
    },
    stdio: ['pipe', 'ignore', 'ignore']
  })
  caddy.stdin.end(`{
  admin off
  auto_https disable_redirects
  skip_install_trust
}
${site}`)
  return async () => {
    const exit = once(caddy, 'exit')
    caddy.kill('SIGKILL')
    await exit
    removeFolder(folder)
  }
}

/** Returns a site that proxies to the nodes as deploy/Caddyfile does, but checks them more often. */
export async function balancedSite(port: number, nodes: readonly string[]): Promise<string> {
  const example = await readFile('deploy/Caddyfile', 'utf8')
  const block = /reverse_proxy \{\$.*?\n\t\}/s.exec(example)?.[0] ?? ''
  const proxy = block
    .replace(/\{\$.*?\}/, nodes.join(' '))
    .replace('health_interval 2s', 'health_interval 100ms')
  return `http://127.0.0.1:${port} {\n${proxy}\n}\n`
}
