import type { Settings } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { findState } from '#lib/contract/states.ts'

type StoredValue<Name extends SectionName> = Partial<Settings[Name]>

type StoredDelivery = StoredValue<'delivery'> & { restServed?: boolean }

/** Changes of sections that older versions of the shop have saved. */
const UPGRADES: { [Name in SectionName]?: (value: StoredValue<Name>) => StoredValue<Name> } = {
  shop: ({ address = EMPTY_SETTINGS.shop.address, ...shop }) => ({
    ...shop,
    address: { ...address, state: findState(address.state) || address.state }
  }),
  // Until there was a choice, pincodes in no zone were either not served or served for nothing.
  delivery: ({ restServed = true, ...delivery }: StoredDelivery) => ({
    ...(!restServed && { elsewhere: 'none' }),
    ...delivery
  })
}

/**
 * Fields that newer versions of the shop have added are empty in sections that were saved before.
 */
export function parseStoredValue<Name extends SectionName>(
  section: Name,
  json: string
): Settings[Name] {
  const stored = JSON.parse(json) as StoredValue<Name>
  return { ...EMPTY_SETTINGS[section], ...(UPGRADES[section]?.(stored) ?? stored) }
}
