import { setTimeout as wait } from 'node:timers/promises'
import type { Failpoint } from '#server/platform/process/failpoints.ts'
import { MINUTE } from '#lib/time.ts'
import type { FastClock } from './fast-clock.ts'
import { startCommand, type Command } from '../../support/command.ts'

/** A shop API at a fixed address. Each start runs a new process. */
export function shopServer(port: number, settings: Record<string, string>, clock?: FastClock) {
  const url = `http://127.0.0.1:${port}`
  const logLines: string[] = []
  let process: Command | undefined

  function launch(extraSettings: Record<string, string> = {}): Command {
    const commonSettings = {
      ...{ PORT: String(port), LOG_LEVEL: 'error', DEMO_DATA: 'false' },
      ...(clock && { FAST_CLOCK: JSON.stringify(clock) })
    }
    return (process = startCommand(
      ['server/main.ts', '--api-only'],
      { ...commonSettings, ...settings, ...extraSettings },
      clock ? ['tests/faults/rounds/fast-clock.ts'] : []
    ))
  }

  async function stopProcess(signal: NodeJS.Signals): Promise<number | null> {
    const code = (await process?.stop(signal)) ?? null
    if (process) logLines.push(...findErrors(process))
    process = undefined
    return code
  }

  return {
    url,
    start: () => waitUntilReady(launch(), `${url}/api/health`),
    /**
     * With `point`, the process kills itself when it reaches the failpoint for the `pass`-th time.
     */
    launch: (point?: { name: Failpoint; pass: number }): void =>
      void launch(point && { FAILPOINT: `${point.name}:${point.pass}` }),
    kill: () => stopProcess('SIGKILL'),
    async waitForExit(timeoutMs: number): Promise<boolean> {
      const timeout = new Promise(resolve => setTimeout(resolve, timeoutMs).unref())
      await Promise.race([process?.waitForExit(), timeout])
      return process?.isRunning() !== true
    },
    stop: () => stopProcess('SIGTERM'),
    loggedErrors: () => logLines
  }
}

/** Throws the command's output if it exits or does not reply in time. */
async function waitUntilReady(command: Command, url: string): Promise<void> {
  for (const until = performance.now() + MINUTE; command.isRunning(); await wait(25)) {
    const isUp = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      async response => (await response.text(), response.ok),
      () => false
    )
    if (isUp) return
    if (performance.now() > until) break
  }
  throw new Error(`${url} does not reply: ${command.output()}`)
}

/** Plain text on stdout is not an error: a slow start prints its progress there. */
function findErrors({ linesOf }: Command): string[] {
  const logged = linesOf('stdout').filter(line => line.startsWith('{'))
  return [...logged, ...linesOf('stderr')].map(summariseLogLine)
}

function summariseLogLine(line: string): string {
  try {
    const { msg, method, route, err } = JSON.parse(line) as Record<string, unknown> & {
      err?: { message?: string }
    }
    return [method, route, msg, err?.message].filter(Boolean).join(' ')
  } catch {
    return line
  }
}
