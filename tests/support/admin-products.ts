import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '#lib/contract/admin.ts'
import type { AdminProduct, ProductDraft } from '#lib/contract/catalog.ts'
import { logInAsAdmin, call } from './accounts.ts'
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

export interface AdminCalls {
  callAsAdmin(line: string, body?: unknown): Promise<Reply>
  createProduct(draft?: Partial<ProductDraft>): Promise<Reply>
  changeProduct(id: string, change: object): Promise<Reply>
  fetchProduct(id: string): Promise<AdminProduct>
  /**
   * Returns the audit entries of the product, for example `changed {"price":100} {"price":120}`.
   */
  history(id: string): Promise<string[]>
  publicProductIds(): Promise<string[]>
}

export type AdminShop = Shop & AdminCalls

export const fieldsOf = ({ body }: Reply): object | undefined =>
  (body as { fields?: object }).fields

export async function openAdminShop(
  engine: Engine,
  options: Parameters<typeof openShop>[1] = {}
): Promise<AdminShop> {
  return withAdmin(
    await openShop(engine, { products: { laddu: {}, murukku: { stock: 30 } }, ...options })
  )
}

export async function withAdmin<BaseShop extends Shop>(
  shop: BaseShop
): Promise<BaseShop & AdminCalls> {
  const { token } = await logInAsAdmin(shop)
  const callAsAdmin = (line: string, body?: unknown): Promise<Reply> =>
    call(shop, line, { token, body })
  return {
    ...shop,
    callAsAdmin,
    createProduct: draft =>
      callAsAdmin('POST /admin/products', { ...KESARI, key: randomUUID(), ...draft }),
    changeProduct: (id, change) => callAsAdmin(`PATCH /admin/products/${id}`, change),
    fetchProduct: async id => (await callAsAdmin(`GET /admin/products/${id}`)).body as AdminProduct,
    async history(id) {
      const { body } = await callAsAdmin(`GET /admin/audit?kind=product,stock&id=${id}`)
      return (body as AuditEntry[]).map(({ action, before, after }) =>
        [action, before, after]
          .map(part => (typeof part === 'string' ? part : JSON.stringify(part)))
          .join(' ')
      )
    },
    async publicProductIds() {
      return ((await shop.get('/products')).body as { id: string }[]).map(({ id }) => id)
    }
  }
}
