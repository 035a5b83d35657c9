import { isDeepStrictEqual } from 'node:util'
import type { Settings } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import type { Db, SettingsRow } from '../platform/db/tables.ts'
import { listCurrentSections, parseStoredValue } from './queries.ts'

/** `savedBy` of sections that the demo shop came with. */
export const DEMO_AUTHOR = 'Demo data'

/** With invented testimonials and claims. Without these sections, pages show less. */
export const INVENTED_SECTIONS = ['home', 'about'] as const satisfies SectionName[]

type Details = Settings['shop'] & Settings['legal']

/** No real shop has them in common with the demo. */
const INVENTED_DETAILS = [
  'address',
  'phone',
  'email',
  'fssai',
  'grievanceOfficer'
] as const satisfies (keyof Details)[]

/** Those that are still the demo's. The owner may have saved other details beside them. */
export async function listInventedDetails(db: Db): Promise<(typeof INVENTED_DETAILS)[number][]> {
  const sections = ['shop', 'legal'] as const
  const firstVersions = db
    .selectFrom('settings')
    .selectAll()
    .where('section', 'in', sections)
    .where('version', '=', 1)
  const demo = toDetails(await firstVersions.where('saved_by_name', '=', DEMO_AUTHOR).execute())
  const current = toDetails(await listCurrentSections(db, sections))
  return INVENTED_DETAILS.filter(
    name => demo[name] !== undefined && isDeepStrictEqual(current[name], demo[name])
  )
}

const LEGAL_DETAILS = ['fssai', 'grievanceOfficer'] as const

export async function findMissingLegal(db: Db): Promise<(typeof LEGAL_DETAILS)[number][]> {
  const invented = await listInventedDetails(db)
  const { fssai, grievanceOfficer }: Partial<Details> = toDetails(
    await listCurrentSections(db, ['legal'])
  )
  const given = { fssai, grievanceOfficer: grievanceOfficer?.name }
  return LEGAL_DETAILS.filter(name => !given[name] || invented.includes(name))
}

function toDetails(rows: readonly SettingsRow[]): Partial<Details> {
  return Object.assign(
    {},
    ...rows.map(({ section, value }) => parseStoredValue(section, value))
  ) as Partial<Details>
}
