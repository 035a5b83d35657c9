import type { AuditEntry } from '#lib/contract/admin/audit.ts'
import type { AdminOrder, OrderList } from '#lib/contract/admin/orders.ts'
import { withOwner, type Owner } from './admin-products.ts'
import { newShopper, openMarket, type Market, type Shopper } from './checkout.ts'
import type { Engine } from './database.ts'

export const LEMONS = [{ product: 'lemon', quantity: 2 }]
export const LADDUS = [{ product: 'laddu', quantity: 1 }]

export interface OwnersMarket extends Market, Owner {
  anita: Shopper
  move(id: string, from: string, to: string): ReturnType<Owner['ask']>
  /** The numbers of the orders that are found. */
  found(query?: string): Promise<string[]>
  order(id: string): Promise<AdminOrder>
  /** What is remembered of an order: `Meena moved {"status":"pending"} {"status":"packed"}`. */
  remembered(id: string): Promise<string[]>
  /** The subjects of what Anita was mailed about orders on their way, once it is due. */
  told(): Promise<string[]>
}

/** A shop that sells pickles and sweets, with its owner and Anita logged in. */
export async function ownersMarket(engine: Engine): Promise<OwnersMarket> {
  const products = { lemon: { category: 'pickles', price: 120, stock: 50 }, laddu: { price: 180.5 } } as const
  const shop = await withOwner(await openMarket(engine, { products }))
  return {
    ...shop,
    anita: await newShopper(shop, 'anita'),
    move: (id, from, to) => shop.ask(`POST /admin/orders/${id}/move`, { from, to }),
    async found(query = '') {
      const { body, status, text } = await shop.ask(`GET /admin/orders${query}`)
      if (status !== 200) throw new Error(text)
      return (body as OrderList).orders.map(({ orderNumber }) => orderNumber)
    },
    order: async id => (await shop.ask(`GET /admin/orders/${id}`)).body as AdminOrder,
    async remembered(id) {
      const { body } = await shop.ask(`GET /admin/audit?kind=order&id=${id}`)
      return (body as AuditEntry[]).map(({ actor, what, before, after }) =>
        [actor.name, what, JSON.stringify(before), JSON.stringify(after)].join(' ')
      )
    },
    async told() {
      await shop.deliver()
      return shop.mails.map(({ subject }) => subject).filter(subject => /packed|delivered|cancelled/.test(subject))
    }
  }
}
