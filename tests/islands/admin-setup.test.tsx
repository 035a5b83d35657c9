import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { SETUP_ROW_IDS, type SetupGap } from '#lib/contract/names.ts'
import type { SetupState } from '#lib/contract/admin.ts'
import { errorReply, openAdminPage, OWNER } from '../support/session.ts'
import { expectNotShown, expectShown, press, type } from '../support/page-input.ts'

afterEach(cleanup)

const NO_DEMO = { products: 0, posts: 0, deals: 0, collections: 0, sections: 0 }

function makeSetup(
  gaps: Partial<Record<string, readonly SetupGap[]>>,
  changes: Partial<SetupState> = {}
): SetupState {
  const rows = SETUP_ROW_IDS.map(id => ({ id, missing: [...(gaps[id] ?? [])] }))
  return { rows, payments: 'live', demo: NO_DEMO, ...changes }
}

/** Each reading of the checklist returns the next of `replies`. */
async function open(...replies: (SetupState | (() => Response))[]): Promise<{ calls: string[] }> {
  const staff = typeof replies[0] === 'function' ? 'manager' : 'owner'
  const { calls } = await openAdminPage(
    '/admin',
    {
      'GET /admin/setup': () => {
        const reply = replies.length > 1 ? replies.shift() : replies[0]
        return typeof reply === 'function' ? reply() : Response.json(reply)
      },
      'GET /status': { testMode: true, mailNotSetUp: true, notLive: false },
      'PUT /admin/login': { token: 'fresh', user: OWNER },
      'DELETE /admin/demo-data': { message: 'Removed' }
    },
    staff
  )
  const { DoneRows, OpenRows, ShopBars } = await import('#islands/admin/overview/Setup.tsx')
  const { loadSetup } = await import('#lib/stores/admin/overview.ts')
  render(
    <>
      <ShopBars hasChecklist={false} />
      <OpenRows />
      <DoneRows />
    </>
  )
  await act(loadSetup)
  return { calls }
}

const row = (label: string) => {
  const item = screen.getByText(label, { selector: 'b' }).closest('li')
  if (!item) throw new Error(`There is no row ${label}`)
  return item
}

describe('Set-up checklist', () => {
  test('says what each row misses and links to its form', async () => {
    await open(
      makeSetup({
        shop: ['shopName', 'shopPhone'],
        legal: ['grievanceOfficer'],
        mail: ['testMail']
      })
    )
    expect(screen.getByText(/7 of 10 done$/, { selector: 'p' })).toBeTruthy()
    expect(row('Shop details').textContent).toContain('Missing: name, phone number.')
    const legal = within(row('Legal details')).getByRole('link', { name: 'Enter legal details' })
    expect(legal.getAttribute('href')).toBe('/admin/settings?section=legal&from=setup')
    expect(within(row('Email')).getByRole('link').getAttribute('href')).toBe(
      '/admin/settings?section=mail&from=setup'
    )
    expectShown('Set-up: 7 steps done')
    expectNotShown('Backup')
  })

  test('takes name, email address and password in one form, with what is made up', async () => {
    const { calls } = await open(
      makeSetup({ account: ['name', 'email', 'password'] }),
      makeSetup({ account: ['confirm'] })
    )
    await press('Save')
    expectShown('Please enter your email')
    type('Email', 'priya@home.example')
    type('New password', 'jaggery-and-salt')
    await press('Save')
    expect(calls).toContain('PUT /admin/login')
    expect(localStorage.getItem('token')).toBe('fresh')
    expect(screen.getByRole('button', { name: 'Send me a code' })).toBeTruthy()
  })

  test('removes the demo data after a question', async () => {
    const demo = { products: 38, posts: 6, deals: 1, collections: 0, sections: 2 }
    const { calls } = await open(
      makeSetup({ products: ['demoData'] }, { demo }),
      makeSetup({ order: ['order'] })
    )
    await press('Remove demo data')
    const dialog = within(screen.getByRole('dialog'))
    expect(
      dialog.getByText(
        /: 38 products, 1 deal, 6 blog posts,? and texts of the home page and About us\./
      )
    ).toBeTruthy()
    expect(calls).not.toContain('DELETE /admin/demo-data')
    await press('Remove')
    expect(calls).toContain('DELETE /admin/demo-data')
    expectNotShown('Products')
  })

  test('is folded when everything is done', async () => {
    await open(makeSetup({}))
    expectShown('Set-up: 10 steps done')
    expect(screen.queryByRole('list')).toBeNull()
    expect(screen.queryByRole('link')).toBeNull()
  })

  test('is not shown to staff who may not set up the shop, but they see that it is a test shop', async () => {
    await open(errorReply(403, { code: 'FORBIDDEN' }))
    expectNotShown('Set up your shop')
    const text = 'Test mode: no money moves · Email is not set up: nothing is sent'
    expectShown(text)
    expect(screen.queryByRole('link')).toBeNull()
  })
})

test.for([
  ['sandbox', { payments: ['keys'], mail: ['smtp'] }, 'Test mode · No email · 8 of 10 done'],
  ['live', { legal: ['fssai'], mail: ['smtp'] }, 'Orders are off · No email · 8 of 10 done'],
  ['live', { legal: ['ownState'], backup: ['backup'] }, 'Delivery is off · 8 of 10 done']
] as const)(
  'One line on admin pages says what is missing with %s keys and leads to the checklist',
  async ([payments, gaps, text]) => {
    await open(makeSetup(gaps, { payments }))
    const bar = screen.getAllByRole('link').find(link => link.textContent?.startsWith(text))
    expect(bar?.getAttribute('href')).toBe('/admin#setup')
  }
)
