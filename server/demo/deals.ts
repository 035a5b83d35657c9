export interface SeedDeal {
  id: string
  productId: string
  percent: number
  startsInHours: number
  endsInHours: number
}

export const SEED_DEALS: readonly SeedDeal[] = [
  { id: 'deal-mysore-pak', productId: 'mysore-pak', percent: 20, startsInHours: -2, endsInHours: 20 },
  { id: 'deal-madras-mixture', productId: 'madras-mixture', percent: 25, startsInHours: -2, endsInHours: 44 },
  { id: 'deal-manapparai-murukku', productId: 'manapparai-murukku', percent: 15, startsInHours: -2, endsInHours: 92 },
  { id: 'deal-mango-avakkai', productId: 'mango-avakkai', percent: 10, startsInHours: -2, endsInHours: 164 },
  { id: 'deal-tirunelveli-halwa', productId: 'tirunelveli-halwa', percent: 30, startsInHours: 48, endsInHours: 120 }
]
