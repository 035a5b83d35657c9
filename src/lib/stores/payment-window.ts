import type { WindowOptions } from '../checkout/window-options.ts'
import { CALL_TIMEOUT } from '../time.ts'

/** What the provider says of an attempt that failed. */
interface FailedAttempt {
  error?: { description?: string }
}

interface ProviderWindow {
  open(): void
  on(event: 'payment.failed', listener: (failed: FailedAttempt) => void): void
}

type Provider = new (options: WindowOptions) => ProviderWindow

const providers = globalThis as { Razorpay?: unknown }
let loaded: string | undefined

/** Loads the provider's script, once for the page; rejects when it does not come, and may then be tried again. */
export async function loadProvider(script: string): Promise<void> {
  if (loaded === script && isProvider(providers.Razorpay)) return
  const tag = document.createElement('script')
  tag.src = script
  tag.async = true
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(new Error(`${script} did not load`))
      tag.addEventListener('load', () => resolve())
      tag.addEventListener('error', fail)
      setTimeout(fail, CALL_TIMEOUT)
      document.head.append(tag)
    })
    if (!isProvider(providers.Razorpay)) throw new Error(`${script} is not the provider's`)
    loaded = script
  } catch (error) {
    tag.remove()
    throw error
  }
}

/** Opens the provider's window; `onDeclined` is told of each attempt that fails in it. */
export function openProvider(options: WindowOptions, onDeclined: (reason: string) => void): void {
  const { Razorpay } = providers
  if (!isProvider(Razorpay)) throw new Error('The provider has not been loaded')
  const opened = new Razorpay(options)
  opened.on('payment.failed', ({ error }) => onDeclined(error?.description ?? ''))
  opened.open()
}

function isProvider(value: unknown): value is Provider {
  return typeof value === 'function'
}
