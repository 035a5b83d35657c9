import { readFile } from 'node:fs/promises'
import type { Settings } from '#lib/contract/settings.ts'
import { POLICY_NAMES, type SectionName } from '#lib/contract/names.ts'
import { raiseCounter, readCounter } from '../platform/db/counters.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { isoNow } from '#lib/time.ts'
import { DEMO_AUTHOR } from '../settings/settings.ts'
import { insertSection } from '../settings/save-section.ts'
import DEMO from './shop.json' with { type: 'json' }

/** This counter is above 0 after the first start. */
const SETTINGS_SEED_COUNTER = 'settings-seed'
/** Pages show it below their text. */
const TEXTS_UPDATED_AT = '2026-11-01T06:00:00.000Z'

/** Saves the settings of the demo at the first start. Several processes may call it at once. */
export async function seedSettings(
  { database, write, clock }: DataDeps,
  { demoData }: { demoData: boolean }
): Promise<void> {
  if ((await readCounter(database.kysely, SETTINGS_SEED_COUNTER)) > 0) return
  const sections = demoData ? await readDemo() : {}
  await write(async trx => {
    // If two processes start at once, the second one waits here. Its result is 2.
    if ((await raiseCounter(trx, SETTINGS_SEED_COUNTER)) > 1) return
    const actor = { _id: null, name: DEMO_AUTHOR }
    for (const name of Object.keys(sections) as SectionName[]) {
      const value = sections[name]
      if (!value) continue
      const at = 'text' in value ? TEXTS_UPDATED_AT : isoNow(clock)
      await insertSection(trx, name, { value, version: 1, at, actor })
    }
    await raiseCounter(trx, 'catalog')
  })
}

async function readDemo(): Promise<Partial<Settings>> {
  const sections: Record<string, object> = { ...DEMO }
  for (const name of ['about', ...POLICY_NAMES]) {
    const text = await readFile(new URL(`policies/${name}.md`, import.meta.url), 'utf8')
    sections[name] = { ...sections[name], text: text.trim() }
  }
  return sections
}
