import { startShop, type RunningShop } from '../tests/support/server.ts'

export interface Table {
  title: string
  header: readonly string[]
  rows: readonly (readonly (string | number)[])[]
  note?: string
}

/**
 * All benchmarks of a run share the folder `dataDir`. It is empty when the first benchmark starts.
 */
export type Bench = (dataDir: string) => Promise<Table>

export function benchShop(measure: (shop: RunningShop) => Promise<Table>): Bench {
  return async dataDir => {
    const shop = await startShop({ dataDir })
    try {
      return await measure(shop)
    } finally {
      await shop.stop()
    }
  }
}

export function formatTable({ title, header, rows, note }: Table): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const rule = line(header.map((_, column) => (column === 0 ? '---' : '---:')))
  return [
    `### ${title}`,
    '',
    line(header),
    rule,
    ...rows.map(line),
    ...(note ? ['', note] : [])
  ].join('\n')
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
