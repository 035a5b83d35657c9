import { describe, expect, test } from 'vitest'
import { configureApi, type Send } from '#lib/api.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import { createTurns } from '#lib/stores/load-state.ts'
import { loadLiveProducts, $liveProducts } from '#lib/stores/catalog.ts'
import { $orderById, readAdminOrder, setOrderStatus } from '#lib/stores/admin/orders.ts'
import {
  loadProducts,
  setHidden,
  setPrice,
  setStock,
  $products
} from '#lib/stores/admin/products.ts'
import { logInAsAdmin } from '../support/accounts.ts'
import { openAdminShop } from '../support/admin-products.ts'
import { connectBrowser } from '../support/shop.ts'

/** A server whose replies come in the order in which the test lets them. */
function openSlowServer() {
  const open: { call: string; answer: (body: object) => void }[] = []
  const send: Send = (url, { method }) =>
    new Promise(resolve => {
      const answer = (body: object) => resolve(Response.json(body))
      open.push({ call: `${method} ${url.replace(/^.*\/api/, '').replace(/\?.*/, '')}`, answer })
    })
  configureApi({ base: '/api', send, token: () => 't' })
  return {
    calls: () => open.map(({ call }) => call),
    answer: async (index: number, body: object): Promise<void> => {
      open[index]?.answer(body)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
}

const makeOrder = (status: string) => ({ _id: 'o1', orderNumber: 'PG-1', status }) as AdminOrder
const status = () => $orderById.get()['o1']?.status

describe('An order', () => {
  test('is shown as the request that was sent last has read it', async () => {
    const server = openSlowServer()
    const loading = [readAdminOrder('o1'), readAdminOrder('o1'), readAdminOrder('o1')]
    await server.answer(0, makeOrder('pending'))
    await server.answer(2, makeOrder('delivered'))
    await server.answer(1, makeOrder('packed'))
    await Promise.all(loading)
    expect(status()).toBe('delivered')
  })

  test('keeps a change that a slower request did not see', async () => {
    const server = openSlowServer()
    const order = makeOrder('pending')
    const work = [setOrderStatus(order, 'packed'), readAdminOrder('o1')]
    await server.answer(0, makeOrder('packed'))
    await server.answer(1, order)
    await Promise.all(work)
    expect(status()).toBe('packed')
  })

  test('is read again after two changes whose replies come the other way round', async () => {
    const server = openSlowServer()
    const work = [
      setOrderStatus(makeOrder('pending'), 'packed'),
      setOrderStatus(makeOrder('packed'), 'delivered')
    ]
    await server.answer(1, makeOrder('delivered'))
    await server.answer(0, makeOrder('packed'))
    expect(server.calls()[2]).toContain('GET')
    await server.answer(2, makeOrder('delivered'))
    await Promise.all(work)
    expect(status()).toBe('delivered')
  })
})

test('A price that a later request has read stays when an earlier reply comes', async () => {
  const server = openSlowServer()
  const loading = [loadLiveProducts(['pak', 'laddu']), loadLiveProducts(['pak'])]
  await server.answer(1, { products: [{ id: 'pak', price: 200, stock: 'in' }] })
  const old = ['pak', 'laddu'].map(id => ({ id, price: 180, stock: 'in' }))
  await server.answer(0, { products: old })
  await Promise.all(loading)
  expect(['pak', 'laddu'].map(id => $liveProducts.get().get(id)?.price)).toEqual([200, 180])
})

describe('Quick changes of one record', () => {
  test('build on each other, but not on a stock that was not seen, and end as on the screen', async () => {
    const shop = await openAdminShop('sqlite')
    const { token } = await logInAsAdmin(shop)
    connectBrowser(shop)
    configureApi({ token: () => token })
    await loadProducts()
    const products = $products.get()
    const laddu = products.state === 'ready' && products.value.find(({ id }) => id === 'laddu')
    if (!laddu) throw new Error('The list has no laddu')
    await Promise.all([
      setStock(laddu, 12),
      setStock(laddu, 0),
      setPrice(laddu, 120),
      setHidden(laddu, true),
      setHidden(laddu, true),
      setStock(laddu, 30)
    ])
    const saved = await shop.fetchProduct('laddu')
    expect(saved).toMatchObject({ stock: 30, price: 120, hiddenAt: expect.any(String) })
    const listed = $products.get()
    expect(listed.state === 'ready' && listed.value.find(({ id }) => id === 'laddu')).toEqual(saved)
    await shop.changeProduct('laddu', { version: 1, stock: { from: 30, to: 4 } })
    const [, stock] = await Promise.allSettled([setPrice(saved, 130), setStock(saved, 40)])
    expect(stock).toMatchObject({ reason: { message: expect.stringContaining('changed to 4') } })
  })

  test('go on after one has failed, from what was seen', async () => {
    const inTurn = createTurns()
    const add = (count: number) => async (total: number) => total + count
    const results = await Promise.allSettled([
      inTurn('a', 1, add(1)),
      inTurn('a', 1, () => Promise.reject(new Error('offline'))),
      inTurn('a', 1, add(10)),
      inTurn('b', 5, add(1))
    ])
    expect(results.map(result => result.status === 'fulfilled' && result.value)).toEqual([
      { saved: 2, isLast: false },
      false,
      { saved: 11, isLast: true },
      { saved: 6, isLast: true }
    ])
  })
})
