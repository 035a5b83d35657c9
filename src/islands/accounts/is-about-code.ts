import type { ShopError } from '#lib/shop-error.ts'

/** Whether a refusal speaks of the code that was typed. */
export function isAboutCode({ code }: ShopError): boolean {
  return code === 'INVALID_OTP' || code === 'OTP_EXPIRED'
}
