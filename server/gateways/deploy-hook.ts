import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'

const TIMEOUT = 10 * SECOND
const PAUSES = [SECOND, 5 * SECOND]

/** Tells a host that it should build the site anew; tried again after each pause (ms). Throws an error of one line. */
export async function callDeployHook(url: string, signal: AbortSignal, pauses = PAUSES): Promise<void> {
  for (const pause of [...pauses, undefined]) {
    const problem = await post(url, signal)
    if (problem === undefined) return
    // The address itself is a secret of the host's.
    if (pause === undefined) throw new Error(`The hook of DEPLOY_HOOK_URL at ${new URL(url).host} ${problem}`)
    await sleep(pause, undefined, { signal })
  }
}

async function post(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)])
    })
    return ok ? undefined : `answered ${status}`
  } catch (error) {
    signal.throwIfAborted()
    return `could not be reached: ${error instanceof Error ? error.message : error}`
  }
}
