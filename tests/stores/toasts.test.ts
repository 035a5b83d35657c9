import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { $toasts, dismiss, notify } from '#lib/stores/toasts.ts'
import { TOAST_LIFETIME } from '#lib/time.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  for (const { id } of $toasts.get()) dismiss(id)
  vi.useRealTimers()
})

function titles() {
  return $toasts.get().map(({ title }) => title)
}

describe('Toasts', () => {
  test('are limited to three: a fourth toast removes the oldest', () => {
    for (const title of ['one', 'two', 'three', 'four']) notify({ title })
    expect(titles()).toEqual(['two', 'three', 'four'])
  })

  test('disappear after their lifetime', () => {
    notify({ title: 'one' })
    vi.advanceTimersByTime(TOAST_LIFETIME - 1)
    expect(titles()).toEqual(['one'])
    vi.advanceTimersByTime(1)
    expect(titles()).toEqual([])
  })

  test('with errors are shown until they are closed', () => {
    notify({ title: 'wrong', kind: 'destructive' })
    vi.advanceTimersByTime(10 * TOAST_LIFETIME)
    expect(titles()).toEqual(['wrong'])
    dismiss($toasts.get()[0]?.id ?? 0)
    expect(titles()).toEqual([])
  })
})
