import type { Kysely, Migration } from 'kysely'
import { FIRST_SCRIPTS } from './001-to-004.ts'
import { SECOND_SCRIPTS } from './005-to-019.ts'
import { THIRD_SCRIPTS } from './020-on.ts'
import { runScript } from './run-script.ts'

type Script = string | ((db: Kysely<unknown>) => Promise<void>)

const SCRIPTS: Readonly<Record<string, Script>> = {
  ...FIRST_SCRIPTS,
  ...SECOND_SCRIPTS,
  ...THIRD_SCRIPTS
}

/** Migrations in the order they run. Names and content of released migrations must never change. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = Object.fromEntries(
  Object.entries(SCRIPTS).map(([name, script]) => [
    name,
    { up: typeof script === 'string' ? db => runScript(db, script) : script }
  ])
)
