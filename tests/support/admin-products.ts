import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '#lib/contract/admin.ts'
import type { AdminProduct, ProductDraft } from '#lib/contract/catalog.ts'
import type { SectionName } from '#lib/contract/names.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
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

type AdminCalls = ReturnType<typeof adminCalls>
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
  return { ...shop, ...adminCalls(shop, token) }
}

function adminCalls(shop: Shop, token: string) {
  const callAsAdmin = (line: string, body?: unknown) => call(shop, line, { token, body })
  return {
    callAsAdmin,
    createProduct: (draft: Partial<ProductDraft> = {}) =>
      callAsAdmin('POST /admin/products', { ...KESARI, key: randomUUID(), ...draft }),
    changeProduct: (id: string, change: object) =>
      callAsAdmin(`PATCH /admin/products/${id}`, change),
    fetchProduct: async (id: string) =>
      (await callAsAdmin(`GET /admin/products/${id}`)).body as AdminProduct,
    /** Returns audit entries, for example `changed {"price":100} {"price":120}`, newest first. */
    async history(id: string, kind = 'product,stock') {
      const { body } = await callAsAdmin(`GET /admin/audit?kind=${kind}&id=${id}`)
      return (body as AuditEntry[]).map(({ action, before, after }) =>
        [action, JSON.stringify(before), JSON.stringify(after)].join(' ')
      )
    },
    async saveSettings(section: SectionName, changes: object) {
      const path = `/admin/settings/${section}`
      const { value, version } = (await callAsAdmin(`GET ${path}`)).body as StoredSection
      return callAsAdmin(`PUT ${path}`, { value: { ...value, ...changes }, version })
    },
    publicProductIds: async () =>
      ((await shop.get('/products')).body as { id: string }[]).map(({ id }) => id)
  }
}
