import { act, fireEvent, render, screen } from '@testing-library/react'
import { vi } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import { respondWith, openPage, PRIYA } from '../support/session.ts'

type Replies = Parameters<typeof respondWith>[0]

export const userReply = (user: Partial<User> = {}) => ({
  'GET /auth/me': () => Response.json({ ...PRIYA, ...user })
})

/** Opens the profile page of Priya, or of a visitor if `token` is null. */
export async function openProfile(replies: Replies = userReply(), token: string | null = 't') {
  const send = vi.fn(respondWith(replies))
  const user = JSON.stringify(PRIYA)
  const page = await openPage({ send, path: '/my-profile', ...(token && { token, user }) })
  const { ProfilePage } = await import('#islands/account/ProfilePage.tsx')
  render(<ProfilePage />)
  await waitForUpdates()
  return { ...page, send }
}

export function waitForUpdates(): Promise<void> {
  return act(async () => {
    await new Promise(resolve => setTimeout(resolve, 5))
  })
}

export async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await waitForUpdates()
}

export function field(label: string): HTMLInputElement {
  return screen.getByLabelText(label)
}

export function type(label: string, text: string): void {
  fireEvent.input(field(label), { target: { value: text } })
}

export function detail(term: string): string | null | undefined {
  return screen.getByText(term, { selector: 'dt' }).nextElementSibling?.textContent
}
