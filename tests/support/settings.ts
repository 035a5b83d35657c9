import { parse } from 'node:path'
import type { ShopSettings, StoredSection } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import manifest from '#server/demo/pictures/manifest.json' with { type: 'json' }
import { call, logInAsAdmin } from './accounts.ts'
import type { Engine } from './database.ts'
import { openShop, type Reply, type ShopOptions } from './shop.ts'

/** The pictures of the demo's settings. */
const PICTURES = Object.fromEntries(
  manifest.files.flatMap(({ file, slug }) => (slug === undefined ? [[parse(file).name, {}]] : []))
)

/** A shop with the demo's settings, seen by its owner. */
export async function openSettings(engine: Engine = 'sqlite', options: ShopOptions = {}) {
  const shop = await openShop(engine, {
    products: { laddu: { category: 'sweets' } },
    pictures: PICTURES,
    ...options
  })
  const { token } = await logInAsAdmin(shop)
  const callAsAdmin = (line: string, body?: unknown) => call(shop, line, { token, body })
  const read = async <Name extends SectionName>(section: Name): Promise<StoredSection<Name>> =>
    (await callAsAdmin(`GET /admin/settings/${section}`)).body as StoredSection<Name>
  return {
    ...shop,
    callAsAdmin,
    read,
    save: (section: SectionName, changes: object) => saveSection(callAsAdmin, section, changes),
    publicShop: async () => (await shop.get('/shop')).body as ShopSettings
  }
}

/** Saves the current value with the given changes. */
export async function saveSection(
  callAsAdmin: (line: string, body?: unknown) => Promise<Reply>,
  section: SectionName,
  changes: object
): Promise<Reply> {
  const line = `/admin/settings/${section}`
  const { value, version } = (await callAsAdmin(`GET ${line}`)).body as StoredSection
  return callAsAdmin(`PUT ${line}`, { value: { ...value, ...changes }, version })
}
