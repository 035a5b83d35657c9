import { ShopDetails, type ShopInfo } from '#lib/contract/content.ts'
import { toYearInIndia } from '#lib/time.ts'
import { memoize, trackedRead } from './reads.ts'
import details from './shop.json'

const shop = ShopDetails.parse(details)
// Cached, so that all pages of a release show the same year, even at New Year.
const currentYear = memoize(() => toYearInIndia(Date.now()))

export const getShop = trackedRead('shop', (): ShopInfo => ({ ...shop, year: currentYear() }))
