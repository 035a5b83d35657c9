import { ShopDetails } from '#lib/contract/shop.ts'
import details from './shop.json'

const shop = ShopDetails.parse(details)

/** The owner's details, from `shop.json`. */
export function getShop(): ShopDetails {
  return shop
}
