export interface Table {
  title: string
  header: readonly string[]
  rows: readonly (readonly (string | number)[])[]
  note?: string
}

/** All benchmarks of a run share the folder `dataDir`. It is empty when the first benchmark starts. */
export type Bench = (dataDir: string) => Promise<Table>

export function formatTable({ title, header, rows, note }: Table): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const rule = line(header.map((_, column) => (column === 0 ? '---' : '---:')))
  return [`### ${title}`, '', line(header), rule, ...rows.map(line), ...(note ? ['', note] : [])].join('\n')
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
