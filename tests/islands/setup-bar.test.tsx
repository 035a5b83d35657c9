import { afterEach, expect, test } from 'vitest'
import { SETUP_ROW_IDS } from '#lib/contract/names.ts'
import { openAdminPage } from '../support/session.ts'

afterEach(() => document.body.replaceChildren())

test('shows the owner how much of the set-up is done, on the next page at once', async () => {
  const rows = SETUP_ROW_IDS.map((id, index) => ({ id, missing: index === 0 ? ['email'] : [] }))
  await openAdminPage('/about', { 'GET /admin/setup': { rows } })
  const addBar = () => {
    const bar = document.createElement('setup-bar')
    bar.append(document.createElement('a'))
    document.body.append(bar)
    return bar
  }
  const first = addBar()
  await import('#elements/setup-bar.ts')
  const text = 'Your shop is not set up yet: 9 of 10 done'
  await expect.poll(() => [first.hidden, first.textContent]).toEqual([false, text])
  const next = addBar()
  expect([next.hidden, next.textContent]).toEqual([false, text])
})
