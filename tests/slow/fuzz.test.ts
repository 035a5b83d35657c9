import { expect, test } from 'vitest'
import { openCheckoutShop } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { fuzz } from '../support/fuzz.ts'

/** For each database. `npm run faults` sends more. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 10_000)
const SEED = Number(process.env['FUZZ_SEED'] ?? 1)

const products = { laddu: { price: 120 }, murukku: { price: 80.5 } }
const deals = { festival: { product: 'laddu' } }

test.for(ENGINES)(
  'random requests for all documented calls never get 500 on %s',
  { timeout: 60_000 + REQUESTS * 60 },
  async engine => {
    const shop = await openCheckoutShop(engine, { products, deals })
    const { accepted, failures } = await fuzz(shop, REQUESTS, SEED)
    expect(failures).toEqual([])
    // Otherwise, nearly all requests would fail before they reach the database.
    expect(accepted).toBeGreaterThan(REQUESTS / 10)
  }
)
