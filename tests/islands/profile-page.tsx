import { render, screen } from '@testing-library/react'
import { vi } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import { waitForUpdates } from '../support/page-input.ts'
import { respondWith, openPage, PRIYA, type Replies } from '../support/session.ts'

export const userReply = (user: Partial<User> = {}) => ({ 'GET /auth/me': { ...PRIYA, ...user } })

/** Opens the profile page of Priya, or of a visitor if `token` is null. */
export async function openProfile(replies: Replies = {}, token: string | null = 't') {
  const send = vi.fn(respondWith({ ...userReply(), ...replies }))
  const user = JSON.stringify(PRIYA)
  const page = await openPage({ send, path: '/my-profile', ...(token && { token, user }) })
  const { ProfilePage } = await import('#islands/account/ProfilePage.tsx')
  render(<ProfilePage />)
  await waitForUpdates()
  return { ...page, send }
}

export function detail(term: string): string | null | undefined {
  return screen.getByText(term, { selector: 'dt' }).nextElementSibling?.textContent
}
