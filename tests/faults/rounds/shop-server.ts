import type { Failpoint } from '#server/failpoints.ts'
import { MINUTE } from '#lib/time.ts'
import { FAST_CLOCK, FAST_CLOCK_MODULE, fastClockSetting, type FastClock } from './fast-clock.ts'
import { startProcess, type ChildCommand } from './child-command.ts'
import { waitUntilReady } from './provider.ts'

/** The API at a fixed address, restarted in successive processes. */
export interface ShopServer {
  url: string
  pid(): number
  start(): Promise<void>
  /** Starts without waiting. The process kills itself when it reaches `point` for the `pass`-th time. */
  launch(point?: { name: Failpoint; pass: number }): void
  kill(): Promise<void>
  waitForExit(timeoutMs: number): Promise<boolean>
  stop(): Promise<number | null>
  loggedErrors(): string[]
}

/** Timers from this length on run at the clock rate: the intervals of the jobs. */
const MIN_SCALED_DELAY_MS = MINUTE / 2

export function shopServer(
  port: number,
  settings: Record<string, string>,
  { clock, before = [] }: { clock?: FastClock | undefined; before?: readonly string[] }
): ShopServer {
  const url = `http://127.0.0.1:${port}`
  const logLines: string[] = []
  let process: ChildCommand | undefined

  function launch(more: Record<string, string> = {}): ChildCommand {
    const clockSetting = clock && { [FAST_CLOCK]: fastClockSetting(clock, MIN_SCALED_DELAY_MS) }
    const shared = { PORT: String(port), LOG_LEVEL: 'error', DEMO_DATA: 'false', ...clockSetting }
    const loaded = [...(clock ? [FAST_CLOCK_MODULE] : []), ...before]
    return (process = startProcess(['server/main.ts', '--api-only'], { ...shared, ...settings, ...more }, loaded))
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const code = (await process?.end(signal)) ?? null
    logLines.push(...(process?.output().split('\n').filter(Boolean).map(summarise) ?? []))
    process = undefined
    return code
  }

  return {
    url,
    pid: () => process?.pid ?? 0,
    start: () => waitUntilReady(launch(), `${url}/api/health`),
    launch: point => void launch(point && { FAILPOINT: `${point.name}:${point.pass}` }),
    kill: async () => void (await end('SIGKILL')),
    async waitForExit(timeoutMs) {
      const waited = new Promise(resolve => setTimeout(resolve, timeoutMs).unref())
      await Promise.race([process?.exited, waited])
      return process?.running() !== true
    },
    stop: () => end('SIGTERM'),
    loggedErrors: () => logLines
  }
}

function summarise(line: string): string {
  try {
    const { msg, method, route, err } = JSON.parse(line) as Record<string, unknown> & { err?: { message?: string } }
    return [method, route, msg, err?.message].filter(Boolean).join(' ')
  } catch {
    return line
  }
}
