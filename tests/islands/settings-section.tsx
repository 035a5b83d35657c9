import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import type { SectionName } from '#lib/contract/names.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { makeCard } from '../support/cards.ts'
import { answerPincode } from '../support/delivery.ts'
import { errorReply, openAdminPage, type Replies } from '../support/session.ts'
import { field, waitForUpdates } from '../support/page-input.ts'

const MURUKKU = {
  ...makeCard('murukku', { name: 'Murukku' }),
  pictures: [],
  ingredients: ['Rice'],
  stock: 9
}

const PLACES = [
  { area: 'city', name: 'Tiruchirappalli city', pincodes: '6200' },
  { area: 'district', name: 'Tiruchirappalli district', pincodes: '620001-621012' },
  { area: 'state', name: 'Tamil Nadu', pincodes: '600001-643253' }
]

const pincode = () => screen.getByLabelText<HTMLInputElement>('Pincode').value

export interface Saved {
  value: object
  version: number
}

/** A server that keeps the versions of one section. `refuse` returns the field errors of a save. */
export async function openSection<Name extends SectionName>(
  section: Name,
  value: Partial<Settings[Name]>,
  refuse: (saved: Saved) => Record<string, string> | undefined = () => undefined,
  isSaved = true
) {
  const first = { ...EMPTY_SETTINGS[section], ...value }
  const versions: Saved[] = isSaved ? [{ value: first, version: 1 }] : []
  const stored = (version = versions.length) => {
    const at = { savedAt: '2026-11-21T04:00:00.000Z', savedBy: 'Meena' }
    return Response.json({ value: first, version: 0, ...versions[version - 1], ...at })
  }
  const save = (sent: Saved) => {
    if (sent.version !== versions.length)
      return errorReply(409, { code: 'EDIT_CONFLICT', message: '' })()
    const fields = refuse(sent)
    if (fields) return errorReply(400, { code: 'INVALID_INPUT', message: '', fields })()
    versions.push({ value: sent.value, version: sent.version + 1 })
    return stored()
  }
  const emptySections = (['legal', 'delivery', 'calendar', 'orders', 'categories'] as const).map(
    name => [`GET /admin/settings/${name}`, { value: EMPTY_SETTINGS[name], version: 0 }]
  )
  const { bodies } = await openAdminPage(`/admin/settings?section=${section}`, {
    'GET /pictures': [],
    'GET /search': { categories: [], collections: [] },
    'GET /admin/searches': [{ text: 'gulab jamun', count: 3, lastDay: '2026-11-20' }],
    'GET /products': [MURUKKU],
    'GET /shop': {
      tax: { servedState: 'Tamil Nadu' },
      shop: {
        ...EMPTY_SETTINGS.shop,
        address: { ...EMPTY_SETTINGS.shop.address, pincode: '620018' }
      }
    },
    'GET /admin/places': PLACES,
    'GET /status': { setOnServer: [] },
    'GET /delivery': () => answerPincode({ areas: ['Thillai Nagar'] })(`?pincode=${pincode()}`),
    'POST /admin/settings/mail/test': { message: 'The mail is in a folder.' },
    'GET /admin/products': [],
    ...(Object.fromEntries(emptySections) as Replies),
    [`GET /admin/settings/${section}`]: () => stored(),
    [`GET /admin/settings/${section}/versions/1`]: () => stored(1),
    [`PUT /admin/settings/${section}`]: () => save(bodies.at(-1) as Saved)
  })
  const { SectionEditor } = await import('#islands/admin/settings/SettingsPage.tsx')
  const { VersionView } = await import('#islands/admin/settings/VersionView.tsx')
  const open = async () => {
    cleanup()
    render(<SectionEditor section={section} />)
    await waitForUpdates()
  }
  await open()
  return {
    open,
    openVersion: async (version: string): Promise<void> => {
      cleanup()
      render(<VersionView section={section} version={version} />)
      await waitForUpdates()
    },
    saveFromElsewhere: (changes: Partial<Settings[Name]>) =>
      versions.push({
        value: { ...versions.at(-1)?.value, ...changes },
        version: versions.length + 1
      }),
    current: () => versions.at(-1)?.value as Settings[Name],
    versionCount: () => versions.length
  }
}

export function type(label: string, text: string): void {
  fireEvent.change(field(label), { target: { value: text } })
}

export const entry = (name: string) => within(screen.getByRole('group', { name }))
export const nameIn = (name: string): HTMLInputElement => entry(name).getByLabelText('Name')
