import { PICKLES } from './pickles.ts'
import { POWDERS } from './powders.ts'
import { SAVOURIES } from './savouries.ts'
import type { SeedProduct } from './seed-product.ts'
import { SEER_ITEMS } from './seer-items.ts'
import { SWEETS } from './sweets.ts'

export type { SeedProduct } from './seed-product.ts'

export const SEED_PRODUCTS: readonly SeedProduct[] = [...SWEETS, ...SAVOURIES, ...PICKLES, ...POWDERS, ...SEER_ITEMS]
