import { act, fireEvent, screen } from '@testing-library/react'
import { expect, vi } from 'vitest'

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

/** Expects each of these texts once. */
export function expectShown(...texts: (string | RegExp)[]): void {
  for (const text of texts) expect(screen.getByText(text)).toBeTruthy()
}

export function expectNotShown(...texts: (string | RegExp)[]): void {
  for (const text of texts) expect(screen.queryByText(text)).toBeNull()
}

export function expectLink(name: string | RegExp, address: string): void {
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(address)
}

/** Returns the text to which aria-describedby refers, if the field is invalid. */
export function errorText(label: string): string | null | undefined {
  const errorId = field(label).getAttribute('aria-describedby')?.split(' ')[0] ?? ''
  return field(label).getAttribute('aria-invalid') === 'true'
    ? document.getElementById(errorId)?.textContent
    : null
}
