import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Publishing } from '#lib/contract/admin.ts'
import { expectShown } from '../support/page-input.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { errorReply, openPage, PRIYA } from '../support/session.ts'

const TIME = '2026-11-21T04:00:00.000Z'
const LIVE: Publishing = { live: { release: 'one', since: TIME }, failedPages: [] }
const PUBLISH = { id: 'p', requestedAt: TIME, cause: 'change' } as const

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** `replies` are those to the calls for the status, of which the last is repeated. */
async function openPublishing(...replies: (() => Response)[]): Promise<string[]> {
  const admin = { ...PRIYA, role: 'admin', staff: 'owner' } as const
  const { calls } = await openPage({
    async send(url) {
      if (url.endsWith('/auth/me')) return Response.json(admin)
      if (url.endsWith('/retry')) return Response.json({ id: 'p' })
      if (!url.endsWith('/admin/publishing')) throw new TypeError('fetch failed')
      return (replies.length > 1 ? replies.shift() : replies[0])?.() ?? Response.json(LIVE)
    },
    path: '/admin/publishing',
    token: 't',
    user: JSON.stringify(admin)
  })
  const { PublishingPage } = await import('#islands/admin/PublishingPage.tsx')
  await act(async () => void render(<PublishingPage />))
  return calls
}

describe('Page of the website’s status', () => {
  test('shows the progress of a publish', async () => {
    const rendering = { ...PUBLISH, state: 'rendering' } as const
    const publishing = { ...LIVE, rendering, progress: { rendered: 12, of: 40 } }
    await openPublishing(() => Response.json(publishing))
    const bar = await screen.findByRole('progressbar', { name: 'Updating pages: 12 of 40' })
    expect(bar).toMatchObject({ value: 12, max: 40 })
    expect(document.body.textContent).toContain(`${location.origin}/feeds/google.xml`)
    await expectAccessible('rendering')
  })

  test('links to pages that have failed', async () => {
    await openPublishing(() => Response.json({ ...LIVE, failedPages: ['/blogs/story'] }))
    expect(await screen.findByRole('link', { name: '/blogs/story' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Website: 1 page failed' })).toBeTruthy()
  })

  test('shows why a publish has failed, and starts another one', async () => {
    const failed = { ...PUBLISH, state: 'failed', problem: 'No space left on the disk' } as const
    const calls = await openPublishing(
      () => Response.json({ ...LIVE, failed }),
      () => Response.json(LIVE)
    )
    fireEvent.click(await screen.findByText('Details'))
    expectShown('No space left on the disk')
    await expectAccessible('failed')
    fireEvent.click(screen.getByRole('button', { name: 'Try again now' }))
    expect(await screen.findByText('All your changes are live.')).toBeTruthy()
    expect(calls).toContain('POST /admin/publishing/retry')
  })

  test('says if the status cannot be loaded, or if the server does not publish', async () => {
    await openPublishing(errorReply(500), errorReply(404))
    expect((await screen.findByRole('alert')).textContent).toContain('This could not be loaded.')
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('This server doesn’t update the website.')).toBeTruthy()
  })
})
