import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { SETUP_ROW_IDS } from '#lib/contract/names.ts'
import type { SetupGap } from '#lib/contract/names.ts'
import type { SetupState } from '#lib/contract/admin.ts'
import { errorReply, openAdminPage } from '../support/session.ts'
import { press } from './profile-page.tsx'

afterEach(cleanup)

const NO_DEMO = { products: 0, posts: 0, deals: 0, collections: 0, sections: 0 }

function makeSetup(
  gaps: Partial<Record<string, SetupGap[]>>,
  changes: Partial<SetupState> = {}
): SetupState {
  const rows = SETUP_ROW_IDS.map(id => ({ id, missing: gaps[id] ?? [] }))
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
      'DELETE /admin/demo-data': { message: 'Removed' }
    },
    staff
  )
  const { SetupList, ShopBars } = await import('#islands/admin/overview/Setup.tsx')
  const { loadSetup } = await import('#lib/stores/setup.ts')
  render(
    <>
      <ShopBars onDashboard={false} />
      <SetupList />
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
      makeSetup({ account: ['email', 'password'], legal: ['grievanceOfficer'], mail: ['testMail'] })
    )
    expect(screen.getByText('7 of 10 done')).toBeTruthy()
    expect(row('Your login').textContent).toContain(
      'Missing: your own email address, your own password.'
    )
    expect(within(row('Your login')).getByRole('link').getAttribute('href')).toBe(
      '/my-profile#email'
    )
    const legal = within(row('Legal details')).getByRole('link', { name: 'Enter legal details' })
    expect(legal.getAttribute('href')).toBe('/admin/settings?section=legal&from=setup')
    expect(within(row('Email')).getByRole('link').getAttribute('href')).toBe(
      '/admin/settings?section=mail&from=setup'
    )
    expect(row('Backup').textContent).toContain('Done')
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
    expect(row('Products').textContent).toContain('Done')
    expect(screen.queryByRole('button', { name: 'Remove demo data' })).toBeNull()
  })

  test('is folded when everything is done', async () => {
    await open(makeSetup({}))
    expect(screen.getByText('Set-up checklist: all done')).toBeTruthy()
    expect(screen.queryByRole('list')).toBeNull()
  })

  test('is not shown to staff who may not set up the shop, but they see that it is a test shop', async () => {
    await open(errorReply(403, { code: 'FORBIDDEN' }))
    expect(screen.queryByText('Set up your shop')).toBeNull()
    expect(warnings()).toEqual([
      'Test mode: no money moves',
      'Email is not set up: nothing is sent'
    ])
    expect(screen.queryByRole('link')).toBeNull()
  })
})

function warnings(): (string | null)[] {
  const list = screen.queryByRole('list', { name: 'Warnings' })
  return list
    ? within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    : []
}

describe('Warnings on admin pages', () => {
  const TEST_MODE = 'Test mode: no money moves Set up payments'
  const NO_MAIL = 'Email is not set up: nothing is sent Set up email'
  const NO_ORDERS = /^Orders are off: enter your FSSAI number .*Enter legal details$/

  test.for([
    ['sandbox', ['smtp', 'fssai'], [TEST_MODE, NO_MAIL]],
    ['test', [], [TEST_MODE]],
    ['live', ['smtp', 'fssai'], [expect.stringMatching(NO_ORDERS), NO_MAIL]]
  ] as const)('with %s keys and without %s are all that hold', async ([payments, gaps, texts]) => {
    await open(makeSetup({ mail: [...gaps], order: ['order'] }, { payments }))
    expect(warnings()).toEqual(texts)
  })
})
