import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'

const TIMEOUT = 10 * SECOND
const BACKOFF = [SECOND, 5 * SECOND]

export async function callDeployHook(
  url: string,
  signal: AbortSignal,
  backoff = BACKOFF
): Promise<void> {
  for (const delay of [...backoff, undefined]) {
    const problem = await postToHook(url, signal)
    if (problem === undefined) return
    // The message names only the host, because the full URL is a secret.
    if (delay === undefined) throw new Error(`The build hook at ${new URL(url).host} ${problem}`)
    await sleep(delay, undefined, { signal })
  }
}

async function postToHook(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)])
    })
    return ok ? undefined : `responded with status ${status}`
  } catch (error) {
    signal.throwIfAborted()
    return `could not be reached: ${error instanceof Error ? error.message : error}`
  }
}
