import { act, fireEvent, screen } from '@testing-library/react'
import { vi } from 'vitest'

export function waitForUpdates(ms = 5): Promise<void> {
  return act(async () => {
    await new Promise(resolve => setTimeout(resolve, ms))
  })
}

/** While the timers are fake. */
export function advance(ms: number): Promise<void> {
  return act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
}

export async function press(
  name: string | RegExp,
  container: Pick<typeof screen, 'getByRole'> = screen
): Promise<void> {
  fireEvent.click(container.getByRole('button', { name }))
  await waitForUpdates()
}

export function field(label: string | RegExp): HTMLInputElement {
  return screen.getByLabelText(label)
}

export function type(label: string | RegExp, text: string): void {
  fireEvent.input(field(label), { target: { value: text } })
}

/** Returns the text to which aria-describedby refers, if the field is invalid. */
export function errorText(label: string): string | null | undefined {
  const errorId = field(label).getAttribute('aria-describedby')?.split(' ')[0] ?? ''
  return field(label).getAttribute('aria-invalid') === 'true'
    ? document.getElementById(errorId)?.textContent
    : null
}
