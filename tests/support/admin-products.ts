import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '#lib/contract/admin/audit.ts'
import type { AdminProduct, ProductDraft } from '#lib/contract/admin/products.ts'
import { administrator, call } from './accounts.ts'
import type { Engine } from './database.ts'
import { openShop, type Reply, type Shop } from './shop.ts'

export const KESARI: Omit<ProductDraft, 'key'> = {
  name: 'Rava Kesari',
  nameTamil: 'ரவா கேசரி',
  description: 'Semolina, ghee and saffron.',
  price: 150.5,
  category: 'sweets',
  dietary: 'vegetarian',
  ingredients: ['Semolina (wheat)', 'Ghee (milk)'],
  quantity: { value: 250, unit: 'g' },
  shelfLife: '5 days',
  pictures: [{ key: 'laddu-00000000', alt: 'A bowl of kesari' }],
  hidden: false,
  stock: 12
}

/** What the owner does. */
export interface Owner {
  /** As the administrator. */
  ask(line: string, body?: unknown): Promise<Reply>
  create(draft?: Partial<ProductDraft>): Promise<Reply>
  change(id: string, change: object): Promise<Reply>
  product(id: string): Promise<AdminProduct>
  /** What is remembered of a product: `changed {"price":100} {"price":120}`. */
  history(id: string): Promise<string[]>
  /** The ids that visitors find. */
  visible(): Promise<string[]>
}

export type OwnersShop = Shop & Owner

/** A shop of two products with its owner logged in. */
export async function ownersShop(engine: Engine, options: Parameters<typeof openShop>[1] = {}): Promise<OwnersShop> {
  return withOwner(await openShop(engine, { products: { laddu: {}, murukku: { stock: 30 } }, ...options }))
}

/** The same shop with its owner logged in. */
export async function withOwner<Kind extends Shop>(shop: Kind): Promise<Kind & Owner> {
  const { token } = await administrator(shop)
  const ask = (line: string, body?: unknown): Promise<Reply> => call(shop, line, { token, body })
  return {
    ...shop,
    ask,
    create: draft => ask('POST /admin/products', { ...KESARI, key: randomUUID(), ...draft }),
    change: (id, change) => ask(`PATCH /admin/products/${id}`, change),
    product: async id => (await ask(`GET /admin/products/${id}`)).body as AdminProduct,
    async history(id) {
      const { body } = await ask(`GET /admin/audit?kind=product,stock&id=${id}`)
      return (body as AuditEntry[]).map(({ what, before, after }) =>
        [what, before, after].map(part => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ')
      )
    },
    async visible() {
      return ((await shop.get('/products')).body as { id: string }[]).map(({ id }) => id)
    }
  }
}
