import * as z from 'zod/mini'

/** Version of the archive format. Increase it if older code can't read new archives. */
export const FORMAT = 1
export const MANIFEST_FILE = 'manifest.json'
export const TABLES_FOLDER = 'database'
export const PICTURES_FOLDER = 'pictures'

export const FILE_NAME_PATTERN =
  /^(?:manifest\.json|database\/[a-z_]+\.jsonl|pictures\/[A-Za-z0-9][A-Za-z0-9_-]*\.(?:avif|webp|jpg))$/

export type Manifest = z.infer<typeof Manifest>
export const Manifest = z.object({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  rows: z.record(z.string().check(z.regex(/^[a-z_]+$/)), z.int()),
  files: z.array(
    z.object({
      name: z.string().check(z.regex(FILE_NAME_PATTERN)),
      size: z.int(),
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/))
    })
  )
})

export const AnyFormatManifest = z.object({ format: z.int(), migrations: z.array(z.string()) })

export function tableFile(table: string): string {
  return `${TABLES_FOLDER}/${table}.jsonl`
}
