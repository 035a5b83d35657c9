/** What the browser keeps of a discount that was drawn. */
export interface DiscountRecord {
  dealId: string
  productId: string
  /** In percent. */
  discount: number
  /** Whether the numbers were still running when it was written. */
  isAnimating: boolean
  /** When it was drawn, in ms since the epoch by the shop's clock. */
  timestamp: number
  /** Whether an order has used it up. */
  used: boolean
}

/** What storage holds for a shopper, whatever it holds: what can't be understood is left out, never thrown. */
export function readRecords(userId: string): DiscountRecord[] {
  try {
    const records: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(records) ? records.filter(isRecord) : []
  } catch {
    return []
  }
}

/** A browser that keeps nothing for this site only loses what the shop knows too. */
export function keepRecords(userId: string, records: readonly DiscountRecord[]): void {
  try {
    if (records.length > 0) localStorage.setItem(keyOf(userId), JSON.stringify(records))
    else localStorage.removeItem(keyOf(userId))
  } catch {
    return
  }
}

function keyOf(userId: string): string {
  return `discounts:${userId}`
}

function isRecord(value: unknown): value is DiscountRecord {
  const record = value as Partial<DiscountRecord> | null
  return (
    typeof record?.dealId === 'string' &&
    typeof record.productId === 'string' &&
    Number.isInteger(record.discount) &&
    Number(record.discount) >= 1 &&
    Number(record.discount) <= 100 &&
    typeof record.isAnimating === 'boolean' &&
    typeof record.timestamp === 'number' &&
    typeof record.used === 'boolean'
  )
}
