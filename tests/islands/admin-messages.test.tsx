import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AdminMessage } from '#lib/contract/content.ts'
import { errorReply, openAdminPage } from '../support/session.ts'
import { expectLink, expectShown, waitForUpdates } from '../support/page-input.ts'
import { ADMIN_TEXTS } from '#lib/contract/admin-texts.ts'

const MESSAGE: AdminMessage = {
  id: 'm-1',
  language: 'en',
  reference: 'PG-7K3M2X',
  name: 'Ravi',
  email: 'ravi@example.com',
  phone: '+91 90000 12345',
  message: 'Do you deliver to Madurai?',
  createdAt: '2026-11-21T04:00:00.000Z',
  readAt: '2026-11-21T05:00:00.000Z',
  answeredAt: null,
  answers: []
}

afterEach(cleanup)

async function openMessages() {
  const page = await openAdminPage('/admin/messages', {
    'GET /admin/messages': { messages: [MESSAGE], count: 1, pages: 1 },
    'GET /admin/messages/m-1': MESSAGE,
    'POST /admin/messages/m-1/answers': errorReply(500)
  })
  const { MessagesPage } = await import('#islands/admin/MessagesPage.tsx')
  render(<MessagesPage />)
  await waitForUpdates(20)
  const keys = () => page.bodies.map(body => (body as { key?: unknown }).key)
  return { ...page, keys }
}

async function sendAnswer(text: string) {
  fireEvent.input(screen.getByLabelText('Your answer'), { target: { value: text } })
  fireEvent.click(screen.getByRole('button', { name: 'Send answer' }))
  await waitForUpdates(20)
}

const openAnswerForm = () => fireEvent.click(screen.getByRole('button', { name: 'Answer Ravi' }))

describe('Admin message', () => {
  test('shows the email address, and the phone number as a link', async () => {
    await openMessages()
    expectLink('ravi@example.com', 'mailto:ravi@example.com')
    expectLink('+91 90000 12345', 'tel:+919000012345')
  })

  test('needs a text, keeps it after a failure and repeats the call with the same key, but a changed text with another', async () => {
    const { keys } = await openMessages()
    openAnswerForm()
    await sendAnswer('  ')
    expectShown(ADMIN_TEXTS.answerRequired)
    expect(keys()).toEqual([])
    await sendAnswer('Yes.')
    expect(screen.getByRole('alert').textContent).toContain('The answer could not be sent.')
    await sendAnswer('Yes.')
    await sendAnswer('Yes, on Fridays.')
    expect(keys()[1]).toBe(keys()[0])
    expect(keys()[2]).not.toBe(keys()[0])
    cleanup()
    await openMessages()
    expect(screen.getByLabelText<HTMLTextAreaElement>('Your answer').value).toBe('Yes, on Fridays.')
  })
})
