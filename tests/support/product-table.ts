import type { ImportReport, ImportRow } from '#lib/contract/catalog.ts'
import { openAdminShop, type AdminShop } from './admin-products.ts'
import type { Engine } from './database.ts'
import type { Reply, ShopOptions } from './shop.ts'

export interface TableShop extends AdminShop {
  exportCsv(): Promise<string>
  send(csv: string, basis?: string, answers?: Record<string, string>): Promise<Reply>
  preview(csv: string, answers?: Record<string, string>): Promise<ImportReport>
  /** Saves what the preview shows. */
  importCsv(csv: string): Promise<ImportReport>
  outcomesOf(csv: string): Promise<unknown[]>
}

export async function openTableShop(
  options: ShopOptions = {},
  engine: Engine = 'sqlite'
): Promise<TableShop> {
  const shop = await openAdminShop(engine, options)
  const send: TableShop['send'] = (csv, basis, answers) =>
    shop.callAsAdmin('POST /admin/products/import', { csv, basis, answers })
  const preview: TableShop['preview'] = async (csv, answers) =>
    (await send(csv, undefined, answers)).body as ImportReport
  return {
    ...shop,
    send,
    preview,
    importCsv: async csv => (await send(csv, (await preview(csv)).basis)).body as ImportReport,
    exportCsv: async () => (await shop.callAsAdmin('GET /admin/products/export')).raw.toString(),
    outcomesOf: async csv => (await preview(csv)).rows.map(({ outcome }) => outcome)
  }
}

export const summaryOf = ({ line, outcome, changes, problems }: ImportRow): unknown[] => [
  line,
  outcome,
  ...changes.map(({ label, before, after }) => `${label}: ${before} -> ${after}`),
  ...problems.map(({ label, text }) => `${label}: ${text}`)
]
