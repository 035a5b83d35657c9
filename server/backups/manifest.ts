import * as z from 'zod/mini'

/** Raised when an archive is no longer understood by the code before. */
export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const TABLES_FOLDER = 'database'
export const PICTURES_FOLDER = 'pictures'

/** What may be in an archive; no other name is ever written to the disk. */
export const FILE_NAME =
  /^(?:manifest\.json|database\/[a-z_]+\.jsonl|pictures\/[A-Za-z0-9][A-Za-z0-9_-]*\.(?:avif|webp|jpg))$/

/** What an archive says of itself, first of all that is in it. */
export type Manifest = z.infer<typeof Manifest>
export const Manifest = z.object({
  format: z.literal(FORMAT),
  /** The instant that it shows. */
  createdAt: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The changes of the schema that had been made by then, in their order. */
  migrations: z.array(z.string()),
  /** How many rows each table has. */
  rows: z.record(z.string().check(z.regex(/^[a-z_]+$/)), z.int()),
  files: z.array(
    z.object({
      name: z.string().check(z.regex(FILE_NAME)),
      size: z.int(),
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/))
    })
  )
})

/** Enough of one to tell how new it is. */
export const AnyManifest = z.object({ format: z.int(), migrations: z.array(z.string()) })

export function tableFile(table: string): string {
  return `${TABLES_FOLDER}/${table}.jsonl`
}
