import { createHmac, timingSafeEqual } from 'node:crypto'

const FORM = /^sha256=([0-9a-f]{64})$/i

export function isSigned(secret: string, payload: Buffer | string, header: string | string[] | undefined): boolean {
  const given = FORM.exec(String(header ?? ''))?.[1]
  if (given === undefined) return false
  return timingSafeEqual(createHmac('sha256', secret).update(payload).digest(), Buffer.from(given, 'hex'))
}
