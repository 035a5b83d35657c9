import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '#server/config.ts'
import type { RenderedShop } from './rendered-shop.ts'

/** Runs `npm run publish`. Returns true if it was killed after `killAfterMs`. */
export async function publishOnce({ env, port }: RenderedShop, killAfterMs?: number): Promise<boolean> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/commands/publish.ts'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exit = new Promise<number | null>(resolve => child.once('exit', resolve))
  const sleepAbort = new AbortController()
  const killed =
    killAfterMs !== undefined &&
    (await Promise.race([
      exit.then(() => false),
      sleep(killAfterMs, true, { signal: sleepAbort.signal }).catch(() => false)
    ]))
  sleepAbort.abort()
  if (killed) child.kill('SIGKILL')
  const code = await exit
  if (!killed && code !== 0) throw new Error(`Publish exited with ${code}: ${output}`)
  return killed
}
