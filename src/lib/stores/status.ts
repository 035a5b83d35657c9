import { api } from '../api.ts'
import type { ShopStatus } from '../contract/content.ts'

export function readStatus(): Promise<ShopStatus> {
  return api('GET /status')
}
