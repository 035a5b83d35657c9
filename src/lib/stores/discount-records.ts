export interface DiscountRecord {
  dealId: string
  productId: string
  discount: number
  isAnimating: boolean
  timestamp: number
  used: boolean
}

export function readRecords(userId: string): DiscountRecord[] {
  try {
    const records: unknown = JSON.parse(localStorage.getItem(toStorageKey(userId)) ?? '[]')
    return Array.isArray(records) ? records.filter(isRecord) : []
  } catch {
    return []
  }
}

export function writeRecords(userId: string, records: readonly DiscountRecord[]): void {
  try {
    if (records.length > 0) localStorage.setItem(toStorageKey(userId), JSON.stringify(records))
    else localStorage.removeItem(toStorageKey(userId))
  } catch {
    return
  }
}

function toStorageKey(userId: string): string {
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
