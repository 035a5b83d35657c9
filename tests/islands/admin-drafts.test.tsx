import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { errorReply, openAdminPage } from '../support/session.ts'
import { field, press, type, waitForUpdates } from '../support/page-input.ts'

afterEach(cleanup)

const makeCollection = (id: string, name: string) => ({
  ...{ id, name, nameTamil: '', description: '', products: [], version: 1 },
  hiddenAt: '2026-11-21T04:00:00.000Z'
})

/** The collections, whose saves are answered by `answer`. */
async function openCollections() {
  const stored = { a: makeCollection('a', 'Diwali'), b: makeCollection('b', 'Pongal') }
  const replies: ((reply: Response) => void)[] = []
  const slow = () => new Promise<Response>(resolve => replies.push(resolve))
  const page = await openAdminPage('/admin/collections', {
    'GET /admin/products': [],
    'GET /admin/collections': Object.values(stored),
    'GET /admin/collections/a': () => Response.json(stored.a),
    'GET /admin/collections/b': stored.b,
    'PATCH /admin/collections/a': slow,
    'DELETE /admin/collections/a': slow,
    'POST /admin/collections': slow
  })
  vi.spyOn(history, 'pushState').mockImplementation((_state, _title, url) => {
    Object.assign(location, { search: new URL(String(url), 'http://localhost').search })
  })
  const { pushQuery } = await import('#islands/ui/history.ts')
  const { CollectionsPage } = await import('#islands/admin/records/CollectionsPage.tsx')
  const go = async (query: string) => {
    act(() => pushQuery(query))
    await waitForUpdates()
  }
  const show = async () => {
    cleanup()
    render(<CollectionsPage />)
    await waitForUpdates()
  }
  await show()
  return {
    ...{ ...page, go, show, stored },
    open: (id: string) => go(`?collection=${encodeURIComponent(id)}`),
    answer: async (reply = Response.json({ ...stored.a, version: 2 })) => {
      replies.shift()?.(reply)
      await waitForUpdates()
    },
    drafts: () => Object.keys(sessionStorage).filter(name => name.startsWith('collection '))
  }
}

const nameField = () => field('Name').value

describe('Drafts', () => {
  test('of several records and several new ones are kept apart', async () => {
    const page = await openCollections()
    await page.open('a')
    type('Name', 'Diwali 2026')
    await page.open('b')
    type('Name', 'Pongal 2027')
    await page.open('+')
    type('Name', 'Wedding')
    await page.open('a')
    expect(nameField()).toBe('Diwali 2026')
    await press('Discard draft')
    expect(nameField()).toBe('Diwali')
    await page.open('b')
    expect(nameField()).toBe('Pongal 2027')
    await page.open('+')
    expect(nameField()).toBe('Wedding')
    await page.logOut()
    expect(page.drafts()).toEqual([])
  })

  test('are at most 21, of which the oldest go', async () => {
    const page = await openCollections()
    for (let at = 1; at <= 30; at++)
      sessionStorage.setItem(`collection old-${at}`, JSON.stringify({ typed: {}, at }))
    await page.open('a')
    type('Name', 'Diwali 2026')
    expect(page.drafts()).toHaveLength(21)
    expect(page.drafts()).toContain('collection old-30')
    expect(page.drafts()).not.toContain('collection old-10')
  })
})

describe('A reply that comes after the form was left', () => {
  test('names its record and leaves the next form open', async () => {
    const page = await openCollections()
    await page.open('a')
    type('Name', 'Diwali 2026')
    await press('Save collection')
    await page.open('b')
    type('Name', 'Pongal 2027')
    await page.answer()
    expect(nameField()).toBe('Pongal 2027')
    expect(page.toastTexts()).toEqual([['Diwali 2026', expect.stringContaining('Saved.')]])
    expect(page.drafts()).toEqual(['collection b'])
  })

  test('tells of its failure, and what was typed is kept, also since then', async () => {
    const page = await openCollections()
    await page.open('a')
    type('Name', 'Diwali 2026')
    await press('Save collection')
    await page.open('b')
    await page.open('a')
    type('Name', 'Diwali 2027')
    await page.open('b')
    page.stored.a = { ...page.stored.a, name: 'Deepavali', version: 2 }
    await page.answer(errorReply(409, { code: 'EDIT_CONFLICT', message: 'Changed.' })())
    expect(page.toastTexts()).toEqual([
      ['Diwali 2026: not saved', expect.stringContaining('What you typed is kept.')]
    ])
    await page.open('a')
    expect(nameField()).toBe('Diwali 2027')
  })

  test('of a deletion leaves the next form open, too', async () => {
    const page = await openCollections()
    await page.open('a')
    await press('Delete collection')
    await press('Delete “Diwali”')
    await page.open('b')
    await page.answer(errorReply(500, { message: 'Sorry' })())
    expect(nameField()).toBe('Pongal')
    expect(page.toastTexts()[0]?.[1]).toContain('Delete “Diwali”')
  })

  test('of a new record is not mixed up with the next new one', async () => {
    const page = await openCollections()
    await page.open('+')
    type('Name', 'Wedding')
    fireEvent.change(field('Status'), { target: { value: 'true' } })
    await press('Save collection')
    await page.go('')
    await page.open('+')
    expect(nameField()).toBe('')
    type('Name', 'Birthday')
    await page.answer(errorReply(500, { message: 'Sorry' })())
    expect(nameField()).toBe('Birthday')
    await press('Cancel')
    await page.open('+')
    expect(nameField()).toBe('Wedding')
  })
})
