import { atom, readonlyType } from 'nanostores'
import { configureApi } from './api.ts'
import { texts } from './contract/texts.ts'
import { SLOW_CALL_DELAY } from './time.ts'

export const WAITING_TEXTS = texts({
  long: 'Still waiting for the shop…',
  repeat: 'Try again',
  repeated: 'Trying again…'
})

interface Call {
  isSlow: boolean
  repeat: (() => void) | undefined
}

type Waiting = 'short' | 'long' | 'repeatable'

const $state = atom<Waiting>('short')
export const $waiting = readonlyType($state)

const calls = new Set<Call>()

configureApi({ waitFor })

/** If `isRepeatable`, calls `send` again after each `repeatCalls()`. */
export async function waitFor<Reply>(
  isRepeatable: boolean,
  send: (signal: AbortSignal) => Promise<Reply>
): Promise<Reply> {
  for (;;) {
    const controller = new AbortController()
    const { signal } = controller
    const call: Call = {
      isSlow: false,
      repeat: isRepeatable ? () => controller.abort() : undefined
    }
    const timer = setTimeout(() => {
      call.isSlow = true
      update()
    }, SLOW_CALL_DELAY)
    calls.add(call)
    update()
    try {
      const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', reject))
      return await Promise.race([send(signal), aborted])
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      clearTimeout(timer)
      calls.delete(call)
      update()
    }
  }
}

export function repeatCalls(): void {
  for (const call of calls) {
    if (!call.isSlow || !call.repeat) continue
    call.isSlow = false
    call.repeat()
  }
  update()
}

function update() {
  const all = [...calls]
  const isLong = all.some(({ isSlow }) => isSlow)
  $state.set(!isLong ? 'short' : all.every(({ repeat }) => repeat) ? 'repeatable' : 'long')
}
