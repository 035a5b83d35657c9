import type { TaxStatus } from '../contract/names.ts'

/**
 * Title of the document for a sale, by the CGST Rules 2017: rule 46 (tax invoice) and rule 49 (bill
 * of supply).
 */
export const DOCUMENT_TITLES: Readonly<Record<TaxStatus, string>> = {
  unregistered: 'Invoice',
  composition: 'Bill of supply',
  regular: 'Tax invoice'
}

/** The words of CGST rule 5(1)(f), which must be at the top of each bill of supply. */
export const COMPOSITION_SENTENCE =
  'Composition taxable person, not eligible to collect tax on supplies'

type Series = 'PG' | 'CN'

/**
 * Formats a number such as 'PG/26-27/000042'. CGST rules 46, 49 and 53 allow at most 16 characters.
 */
export function formatSerialNumber(
  series: Series,
  year: string | null,
  no: number | null
): string | null {
  return year === null || no === null ? null : `${series}/${year}/${String(no).padStart(6, '0')}`
}
