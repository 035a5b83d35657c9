import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { errorReply, openAdminPage, OWNER } from '../support/session.ts'
import { expectShown, field, press, type, waitForUpdates } from '../support/page-input.ts'

const LADDU = {
  _id: 'laddu',
  id: 'laddu',
  name: 'Laddu',
  price: 180,
  quantity: { value: 250, unit: 'g', type: 'weight' },
  hiddenAt: null
} as AdminProduct

afterEach(cleanup)

/**
 * Opens the deals page of an administrator whose login is too old, and submits a new deal of 30%.
 */
async function submitDeal(verify: () => Response) {
  let isVerified = false
  const page = await openAdminPage('/admin/discounted-products', {
    'GET /auth/me': OWNER,
    'GET /admin/products': [LADDU],
    'GET /discounted-products': [],
    'POST /discounted-products': () =>
      isVerified
        ? Response.json({}, { status: 201 })
        : errorReply(403, {
            code: 'VERIFICATION_REQUIRED',
            message: 'Please enter your password again.'
          })(),
    'POST /admin/verification': () => {
      const reply = verify()
      isVerified = reply.ok
      return reply
    }
  })
  const { DealsPage } = await import('#islands/admin/records/DealsPage.tsx')
  render(<DealsPage />)
  await screen.findByLabelText('Discount (%)')
  const values = {
    Product: 'laddu',
    'Discount (%)': '30',
    Start: '2027-01-14T09:00',
    End: '2027-01-15T09:00'
  }
  for (const [label, value] of Object.entries(values))
    fireEvent.change(screen.getByLabelText(label, { selector: 'input, select' }), {
      target: { value }
    })
  await press('Add flash deal')
  return {
    ...page,
    attempts: () => page.calls.filter(call => call === 'POST /discounted-products').length
  }
}

const dialog = () => screen.queryByRole('dialog', { name: 'Verification needed' })

async function pressInDialog(name: string) {
  const box = dialog()
  if (!box) throw new Error('There is no dialog')
  fireEvent.click(within(box).getByRole('button', { name }))
  await waitForUpdates()
}

describe('Verification in the admin', () => {
  test('asks for the password until it is right, keeps what was typed, and then repeats the action', async () => {
    const wrong = errorReply(400, { code: 'INVALID_CREDENTIALS', message: 'Invalid credentials' })
    const replies = [wrong(), Response.json({ message: 'Verified' })]
    const page = await submitDeal(() => replies.shift() ?? wrong())
    type('Current password', 'guessed')
    await pressInDialog('Continue')
    expectShown('Invalid credentials')
    await pressInDialog('Cancel')
    expect(dialog()).toBeNull()
    expectShown('Please enter your password again.')
    expect(field('Discount (%)').value).toBe('30')
    expect(page.attempts()).toBe(1)
    await press('Add flash deal')
    type('Current password', 'kesari-47')
    await pressInDialog('Continue')
    await waitFor(() =>
      expect(page.toastTexts()).toEqual([['Discounted product created successfully', 'Laddu']])
    )
    expect(dialog()).toBeNull()
    expect(page.attempts()).toBe(3)
  })
})
