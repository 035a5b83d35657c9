import type { RazorpayOptions } from '../checkout/razorpay-options.ts'
import { CALL_TIMEOUT } from '../time.ts'

interface FailedAttempt {
  error?: { description?: string }
}

interface ProviderWindow {
  open(): void
  on(event: 'payment.failed', listener: (attempt: FailedAttempt) => void): void
}

type Provider = new (options: RazorpayOptions) => ProviderWindow

const globals = globalThis as { Razorpay?: unknown }
let loadedScript: string | undefined

export async function loadProvider(script: string): Promise<void> {
  if (loadedScript === script && isProvider(globals.Razorpay)) return
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
    if (!isProvider(globals.Razorpay)) throw new Error(`${script} does not define Razorpay`)
    loadedScript = script
  } catch (error) {
    tag.remove()
    throw error
  }
}

export function openProvider(options: RazorpayOptions, onDeclined: (reason: string) => void): void {
  const { Razorpay } = globals
  if (!isProvider(Razorpay)) throw new Error('The Razorpay script is not loaded')
  const checkout = new Razorpay(options)
  checkout.on('payment.failed', ({ error }) => onDeclined(error?.description ?? ''))
  checkout.open()
}

function isProvider(value: unknown): value is Provider {
  return typeof value === 'function'
}
