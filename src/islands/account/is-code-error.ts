import type { ShopError } from '#lib/shop-error.ts'

export function isCodeError({ code }: ShopError): boolean {
  return code === 'INVALID_OTP' || code === 'OTP_EXPIRED'
}
