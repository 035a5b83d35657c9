import { DRAW_ANIMATION } from '../constants.ts'
import { DRAW_ANIMATION_STEP } from '../time.ts'
import { prefersReducedMotion } from './motion.ts'

export function animateDraw(show: (number: number) => void, done: () => void): () => void {
  if (prefersReducedMotion()) {
    done()
    return () => undefined
  }
  let shown = 0
  const step = (): void => {
    if (shown === DRAW_ANIMATION.steps) {
      clearInterval(timer)
      done()
    } else {
      shown++
      show(
        DRAW_ANIMATION.minPercent +
          Math.floor(Math.random() * (DRAW_ANIMATION.maxPercent - DRAW_ANIMATION.minPercent + 1))
      )
    }
  }
  const timer = setInterval(step, DRAW_ANIMATION_STEP)
  step()
  return () => clearInterval(timer)
}
