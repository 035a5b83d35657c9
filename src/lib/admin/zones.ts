import type { DeliveryPlace } from '../contract/delivery.ts'
import { ZONE_AREAS } from '../contract/names.ts'
import type { StoredSection } from '../contract/settings.ts'
import type { Zone } from '../delivery/terms.ts'
import { toItems } from './field-values.ts'
import { isNeeded, type SectionForm, type Typed } from './fields.ts'

export const ALL_INDIA: DeliveryPlace = { area: 'india', name: 'All of India', pincodes: '' }

export const NEW_ZONE = {
  method: 'own',
  active: true,
  fee: 0,
  freeAbove: 0,
  transitMin: 0,
  transitMax: 3
} as const

const PROPOSED = { city: 40, courier: 80, elsewhere: { elsewhereFee: 120, elsewhereDays: 5 } }

export const isProposal = ({ value, version }: StoredSection): boolean =>
  version === 0 && 'zones' in value && value.zones.length > 0

/** Where all of India is served, nothing is elsewhere. */
export function listAskedGroups(
  groups: SectionForm['groups'],
  typed: Typed
): SectionForm['groups'] {
  const servesIndia = toItems(typed['zones']).some(zone => (zone as Zone).area === 'india')
  return groups.filter(
    part =>
      isNeeded(typed, part) &&
      part.fields.some(spec => isNeeded(typed, spec)) &&
      !(servesIndia && part.fields[0]?.name === 'elsewhere')
  )
}

/**
 * Proposes the first zones. A zone whose place is no longer one of the choices, because the shop
 * has moved or the list of pincodes is newer, shows its pincodes.
 */
export function openDelivery(
  stored: StoredSection<'delivery'>,
  places: readonly DeliveryPlace[]
): StoredSection<'delivery'> {
  const { value, version } = stored
  const find = (area: Zone['area']): DeliveryPlace | undefined =>
    places.find(place => place.area === area)
  const [city, state] = [find('city'), find('state')]
  if (version === 0 && value.zones.length === 0 && city && state) {
    const zones: Zone[] = [
      { ...NEW_ZONE, ...city, fee: PROPOSED.city },
      { ...NEW_ZONE, ...state, method: 'courier', fee: PROPOSED.courier }
    ]
    return { ...stored, value: { ...value, ...PROPOSED.elsewhere, elsewhere: 'none', zones } }
  }
  const zones = value.zones.map((zone): Zone => {
    const isChoice = find(zone.area)?.pincodes === zone.pincodes
    return isChoice ? zone : { ...zone, area: zone.pincodes === '' ? 'india' : 'typed' }
  })
  return { ...stored, value: { ...value, zones } }
}

/** After its place was chosen, a zone is above all larger ones, because the first match wins. */
export function placeZone(
  zones: readonly Zone[],
  index: number,
  places: readonly DeliveryPlace[]
): { zones: Zone[]; index: number } {
  const others = zones.toSpliced(index, 1)
  const zone = zones[index]
  if (!zone) return { zones: others, index }
  const place = places.find(({ area }) => area === zone.area)
  const isNew = zone.name === ''
  const isFar = place?.area === 'state' || place?.area === 'india'
  const placed: Zone = {
    ...zone,
    name: place?.name ?? '',
    pincodes: place?.pincodes ?? '',
    ...(isNew && isFar && { method: 'courier' })
  }
  const larger = others.findIndex(other => rank(other) > rank(placed))
  const at = larger === -1 ? others.length : larger
  return { zones: others.toSpliced(at, 0, placed), index: at }
}

function rank({ area = 'typed' }: Zone) {
  return ZONE_AREAS.indexOf(area)
}
