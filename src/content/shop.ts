import { ShopDetails, type ShopInfo } from '#lib/contract/shop.ts'
import { toYearInIndia } from '#lib/time.ts'
import { trackedRead, memoize } from './reads.ts'
import details from './shop.json'

const shop = ShopDetails.parse(details)
// Cached, so that all pages of a release show the same year, even at New Year.
const currentYear = memoize(() => toYearInIndia(Date.now()))

export const getShop = trackedRead('shop', (): ShopInfo => ({ ...shop, year: currentYear() }))
