import { ShopDetails, type ShopOfTheYear } from '#lib/contract/shop.ts'
import { yearInIndia } from '#lib/time.ts'
import { read } from './reads.ts'
import details from './shop.json'
import { once } from './source.ts'

const shop = ShopDetails.parse(details)
// Known once for all pages, so that those of one release agree at New Year.
const year = once(() => yearInIndia(Date.now()))

/** The owner's details, from `shop.json`, and the year that the footer shows. */
export const getShop = read('shop', (): ShopOfTheYear => ({ ...shop, year: year() }))
