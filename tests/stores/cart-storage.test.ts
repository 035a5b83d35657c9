import { cleanStores } from 'nanostores'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeLine } from '../support/cards.ts'

const PAK = makeLine('mysore-pak', 2)

let cleanUp = (): void => undefined

afterEach(() => {
  cleanUp()
  localStorage.clear()
})

/** Loads a page with new stores, which read the stored cart. */
async function openPage(stored?: string) {
  cleanUp()
  if (stored !== undefined) localStorage.setItem('cart', stored)
  vi.resetModules()
  const cart = {
    ...(await import('#lib/stores/cart.ts')),
    ...(await import('#lib/stores/quote.ts'))
  }
  const { $toasts } = await import('#lib/stores/toasts.ts')
  cart.$cart.listen(() => undefined)
  cleanUp = () => cleanStores(cart.$cart)
  await Promise.resolve()
  return {
    ...cart,
    $toasts,
    counts: () => cart.$cart.get().map(({ _id, quantity }) => [_id, quantity.value])
  }
}

/** Changes the stored cart and sends the same event as a change in another tab. */
function writeFromOtherTab(cart: unknown): void {
  const newValue = cart === undefined ? null : JSON.stringify(cart)
  if (newValue === null) localStorage.removeItem('cart')
  else localStorage.setItem('cart', newValue)
  window.dispatchEvent(Object.assign(new Event('storage'), { key: 'cart', newValue }))
}

describe('Stored cart', () => {
  test('is loaded on the next page', async () => {
    const page = await openPage()
    page.addToCart(PAK)
    const next = await openPage()
    expect(next.counts()).toEqual([['mysore-pak', 1]])
  })

  test('has the fields of the specification', async () => {
    const page = await openPage()
    page.addToCart(PAK)
    expect(JSON.parse(localStorage.getItem('cart') ?? '')).toMatchObject([
      {
        _id: 'mysore-pak',
        name: 'mysore-pak',
        price: 100,
        quantity: { value: 1, unit: 'g', type: 'weight' }
      }
    ])
  })
})

describe('Cart in two tabs', () => {
  test('is synchronised between tabs', async () => {
    const page = await openPage(JSON.stringify([PAK]))
    writeFromOtherTab([PAK, makeLine('thattai', 3)])
    expect(page.countPacks(page.$cart.get())).toBe(5)
    writeFromOtherTab(undefined)
    expect(page.counts()).toEqual([])
  })

  test('is empty if another tab has stored an unknown format', async () => {
    const page = await openPage(JSON.stringify([PAK]))
    writeFromOtherTab([{ productId: 7 }])
    expect(page.counts()).toEqual([])
    page.addToCart(PAK)
    expect(page.counts()).toEqual([['mysore-pak', 1]])
  })
})

describe('Damaged stored cart', () => {
  test.for([
    '{"_id":',
    '',
    'null',
    '7',
    '"hello"',
    '{}',
    JSON.stringify([null, 7, 'x', []]),
    JSON.stringify([{ id: 7, qty: 'two' }]),
    JSON.stringify([{ ...PAK, quantity: { value: -3, unit: 'g', type: 'weight' } }]),
    JSON.stringify([{ ...PAK, quantity: { value: 1.5, unit: 'g', type: 'weight' } }]),
    JSON.stringify([{ ...PAK, quantity: { value: 1, unit: { x: 1 } } }]),
    JSON.stringify([PAK]).replace('100', '1e999'),
    JSON.stringify([{ ...PAK, price: 1e15 }]),
    JSON.stringify([{ ...PAK, price: -1 }]),
    JSON.stringify([{ ...PAK, picture: 'x.jpg' }]),
    JSON.stringify([{ ...PAK, packSize: 250 }]),
    JSON.stringify([{ ...PAK, discount: 'half' }])
  ])('is treated as empty: %s', async stored => {
    const page = await openPage(stored)
    expect(page.counts()).toEqual([])
    expect(page.$cartView.get().total).toBe(0)
    page.addToCart(PAK)
    expect(page.counts()).toEqual([['mysore-pak', 1]])
  })

  test('keeps valid lines and reports the removed lines only once', async () => {
    const stored = JSON.stringify([PAK, { id: 7 }, makeLine('mysore-pak', 9)])
    const page = await openPage(stored)
    expect(page.counts()).toEqual([['mysore-pak', 2]])
    expect(page.$toasts.get().map(({ title }) => title)).toEqual([
      'Some items could not be restored'
    ])
    const next = await openPage()
    expect(next.counts()).toEqual([['mysore-pak', 2]])
    expect(next.$toasts.get()).toEqual([])
  })
})
