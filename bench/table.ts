export interface Table {
  title: string
  head: readonly string[]
  rows: readonly (readonly (string | number)[])[]
  note?: string
}

/** `dataDir` is empty for the first benchmark of a run. */
export type Bench = (dataDir: string) => Promise<Table>

export function markdown({ title, head, rows, note }: Table): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const rule = line(head.map((_, column) => (column === 0 ? '---' : '---:')))
  return [`### ${title}`, '', line(head), rule, ...rows.map(line), ...(note ? ['', note] : [])].join('\n')
}

/** The upper of the two middle values if their number is even. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
