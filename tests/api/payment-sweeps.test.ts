import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { reconcileRecent } from '#server/orders/payment/jobs.ts'
import {
  addShopper,
  myOrders,
  openCheckoutShop,
  openPayment,
  type CheckoutShop
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'

interface SweptShop extends CheckoutShop {
  /** The first day of each list of payments that was read, as days before now. */
  sweeps: number[]
  sweep(holder?: string): Promise<void>
}

/** `onList` is called while the list of payments is read. */
async function openSweptShop(
  engine: Engine,
  onList?: (shop: CheckoutShop) => Promise<void>
): Promise<SweptShop> {
  const shop = await openCheckoutShop(engine)
  const { gateway } = shop.app.payments
  const sweeps: number[] = []
  shop.app.payments.gateway = {
    ...gateway,
    async listPayments(period) {
      await onList?.(shop)
      sweeps.push((period.to - period.from) / DAY)
      return gateway.listPayments(period)
    }
  }
  return { ...shop, sweeps, sweep: (holder = 'this process') => reconcileRecent(shop.app, holder) }
}

async function readLease({ database: { kysely } }: CheckoutShop): Promise<number | undefined> {
  const lease = await kysely
    .selectFrom('leases')
    .select('until')
    .where('name', '=', 'sweeps')
    .executeTakeFirst()
  return lease && Date.parse(lease.until)
}

describe.each(ENGINES)('Sweep of the provider’s payments on %s', engine => {
  test('covers six days once a day and two days every ten minutes, in only one of several processes', async () => {
    const { clock, sweeps, sweep } = await openSweptShop(engine)
    await Promise.all([sweep('first process'), sweep('second process')])
    expect(sweeps).toEqual([6])
    clock.advance(9 * MINUTE)
    await sweep('second process')
    expect(sweeps).toEqual([6])
    clock.advance(MINUTE)
    await sweep('second process')
    await sweep('first process')
    expect(sweeps).toEqual([6, 2])
    clock.advance(DAY)
    await sweep()
    expect(sweeps).toEqual([6, 2, 6])
  })

  test('goes on half a minute after a process was killed', async () => {
    const ends: (number | undefined)[] = []
    let goOn = (): void => undefined
    const stopped = new Promise<void>(resolve => (goOn = resolve))
    const shop = await openSweptShop(engine, async opened => {
      if (ends.push(await readLease(opened)) === 1) await stopped
    })
    const killed = shop.sweep('killed process')
    await expect.poll(() => ends).toHaveLength(1)
    expect(ends[0]).toBeLessThan(Date.now() + 31 * SECOND)
    await shop.sweep()
    expect(shop.sweeps).toEqual([])
    const until = new Date(Date.now() - SECOND).toISOString()
    await shop.database.kysely.updateTable('leases').set({ until }).execute()
    await shop.sweep()
    expect(shop.sweeps).toEqual([6])
    expect(await readLease(shop)).toBeUndefined()
    goOn()
    await killed
  })
})

describe('Sweep of the provider’s payments', () => {
  test('does not wait after a clock error of two days was corrected', async () => {
    const { clock, sweeps, sweep } = await openSweptShop('sqlite')
    clock.advance(49 * HOUR)
    await sweep()
    clock.advance(-49 * HOUR)
    await sweep()
    expect(sweeps).toEqual([6, 6])
  })

  test('goes on with the other payments if the provider refuses to look up one', async () => {
    const shop = await openCheckoutShop('sqlite', {
      products: { lemon: { category: 'pickles', stock: 10 } }
    })
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items: [{ product: 'lemon', quantity: 2 }] })
    await shop.sandbox.pay(id)
    const { gateway } = shop.app.payments
    shop.app.payments.gateway = {
      ...gateway,
      async listPayments(period) {
        const page = await gateway.listPayments(period)
        return [
          ...page.map(payment => ({ ...payment, id: 'pay_lost', order_id: 'order_lost' })),
          ...page
        ]
      }
    }
    await reconcileRecent(shop.app, 'this process')
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
  })
})
