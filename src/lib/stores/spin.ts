import { SPIN } from '../constants.ts'
import { SPIN_STEP } from '../time.ts'
import { prefersStillness } from './motion.ts'

/**
 * Shows forty random numbers, one each 50 ms, and is then done; at once for who wants things to stand still. Answers how to
 * stop it before.
 */
export function spin(show: (number: number) => void, done: () => void): () => void {
  if (prefersStillness()) {
    done()
    return () => undefined
  }
  let shown = 0
  const step = (): void => {
    if (shown === SPIN.steps) {
      clearInterval(timer)
      done()
    } else {
      shown++
      show(SPIN.least + Math.floor(Math.random() * (SPIN.most - SPIN.least + 1)))
    }
  }
  const timer = setInterval(step, SPIN_STEP)
  step()
  return () => clearInterval(timer)
}
