import { fireEvent, render, screen, within } from '@testing-library/react'
import { respondWith, openPage, PRIYA, type Send } from '../support/session.ts'
import { waitForUpdates } from '../support/page-input.ts'

export const sessionReply = { token: 'new', user: PRIYA }

export interface PageOptions {
  send?: Send
  path?: string
  token?: string
}

export async function openLogin({
  send = respondWith({}),
  path = '/login',
  ...stored
}: PageOptions = {}) {
  const page = await openPage({
    send,
    path: path,
    ...stored,
    ...(stored.token && { user: JSON.stringify(PRIYA) })
  })
  const { LoginPage } = await import('#islands/account/LoginPage.tsx')
  render(<LoginPage />)
  await waitForUpdates()
  return page
}

export function panel() {
  return within(screen.getByRole('tabpanel'))
}

export function field(label: string): HTMLInputElement {
  return panel().getByLabelText(label)
}

export function type(label: string, text: string): void {
  fireEvent.input(field(label), { target: { value: text } })
}

export async function press(name: string): Promise<void> {
  fireEvent.click(panel().getByRole('button', { name }))
  await waitForUpdates()
}

/** Returns the text to which aria-describedby refers, if the field is invalid. */
export function errorText(label: string): string | null | undefined {
  const errorId = field(label).getAttribute('aria-describedby') ?? ''
  return field(label).getAttribute('aria-invalid') === 'true'
    ? document.getElementById(errorId)?.textContent
    : null
}
