import type { Failpoint } from '#server/failpoints.ts'
import { MINUTE } from '#lib/time.ts'
import { HASTE, HASTEN, hasteSetting, type Haste } from './haste.ts'
import { startProcess, type Process } from './process.ts'
import { listening } from './provider.ts'

/** The shop's calls without its pages, at one address, in one process after another. */
export interface ShopSeat {
  url: string
  /** Of the process that serves, or is to. */
  pid(): number
  /** Starts a process; answers when it serves. */
  start(): Promise<void>
  /** Starts a process and does not wait for it. `point`: where it is to die by itself, at which pass: perhaps at once. */
  begin(point?: { name: Failpoint; pass: number }): void
  kill(): Promise<void>
  /** Whether the process ends by itself within so many ms. */
  dies(patience: number): Promise<boolean>
  /** Ends it as its owner would; answers the exit code. */
  stop(): Promise<number | null>
  /** What its processes complained of. */
  complaints(): string[]
}

/** From so many ms on its pauses are shortened: those between its looks at what is due. */
const SHORTENED = MINUTE / 2

export function shopSeat(
  port: number,
  settings: Record<string, string>,
  { haste, before = [] }: { haste?: Haste | undefined; before?: readonly string[] }
): ShopSeat {
  const url = `http://127.0.0.1:${port}`
  const said: string[] = []
  let process: Process | undefined

  function begin(more: Record<string, string> = {}): Process {
    const hasted = haste && { [HASTE]: hasteSetting(haste, SHORTENED) }
    const shared = { PORT: String(port), LOG_LEVEL: 'error', DEMO_DATA: 'false', ...hasted }
    const loaded = [...(haste ? [HASTEN] : []), ...before]
    return (process = startProcess(['server/main.ts', '--api-only'], { ...shared, ...settings, ...more }, loaded))
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const code = (await process?.end(signal)) ?? null
    said.push(...(process?.said().split('\n').filter(Boolean).map(briefly) ?? []))
    process = undefined
    return code
  }

  return {
    url,
    pid: () => process?.pid ?? 0,
    start: () => listening(begin(), `${url}/api/health`),
    begin: point => void begin(point && { FAILPOINT: `${point.name}:${point.pass}` }),
    kill: async () => void (await end('SIGKILL')),
    async dies(patience) {
      const waited = new Promise(resolve => setTimeout(resolve, patience).unref())
      await Promise.race([process?.ended, waited])
      return process?.running() !== true
    },
    stop: () => end('SIGTERM'),
    complaints: () => said
  }
}

function briefly(line: string): string {
  try {
    const { msg, method, route, err } = JSON.parse(line) as Record<string, unknown> & { err?: { message?: string } }
    return [method, route, msg, err?.message].filter(Boolean).join(' ')
  } catch {
    return line
  }
}
