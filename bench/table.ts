export interface Table {
  title: string
  head: readonly string[]
  rows: readonly (readonly (string | number)[])[]
  note?: string
}

/** Measures the shop that keeps its data in the given folder; the folder is empty for the first bench of a run. */
export type Bench = (dataDir: string) => Promise<Table>

/** The table in Markdown: the first column is words, the others are numbers. */
export function markdown({ title, head, rows, note }: Table): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const rule = line(head.map((_, column) => (column === 0 ? '---' : '---:')))
  return [`### ${title}`, '', line(head), rule, ...rows.map(line), ...(note ? ['', note] : [])].join('\n')
}

/** The middle one; of an even number the higher of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
