import { createHmac, timingSafeEqual } from 'node:crypto'

const SIGNATURE_PATTERN = /^sha256=([0-9a-f]{64})$/i

export function isValidSignature(
  secret: string,
  payload: Buffer | string,
  header: string | string[] | undefined
): boolean {
  const signature = SIGNATURE_PATTERN.exec(String(header ?? ''))?.[1]
  if (signature === undefined) return false
  return timingSafeEqual(createHmac('sha256', secret).update(payload).digest(), Buffer.from(signature, 'hex'))
}
