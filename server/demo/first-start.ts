import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { SectionName } from '#lib/contract/names.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { isoNow } from '#lib/time.ts'
import { listProductIds } from '../catalog/read-products.ts'
import type { Config } from '../config.ts'
import { raiseCounter, readCounter } from '../platform/db/counters.ts'
import type { Db } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { oneLine, type Progress } from '../platform/process/command.ts'
import { createWorkerProcess } from '../platform/process/worker-process.ts'
import { DEMO_AUTHOR, readSection } from '../settings/settings.ts'
import { insertSection } from '../settings/save-section.ts'
import { hasSitePictures } from './seed.ts'
import DEMO from './shop.json' with { type: 'json' }
import TAMIL from './ta/shop.json' with { type: 'json' }

const SETTINGS_SEED_COUNTER = 'settings-seed'
/** Pages show it below their text. */
const TEXTS_UPDATED_AT = '2026-11-01T06:00:00.000Z'

interface FirstStart {
  progress: Progress
  /** Throws if the shop could not listen after the long work. */
  checkAddress(): Promise<void>
  onEnd(close: () => Promise<unknown>): void
}

/** Seeds an empty database, in a process of its own, because encoding pictures needs much memory. */
export async function seedShop(
  deps: DataDeps,
  config: Config,
  { progress, checkAddress, onEnd }: FirstStart
): Promise<void> {
  const { kysely } = deps.database
  await seedSettings(deps, config)
  const needsDemoData = config.demoData && (await listProductIds(kysely)).length === 0
  if (!needsDemoData && !(await needsSitePictures(kysely))) return
  await checkAddress()
  const file = fileURLToPath(new URL('seed.ts', import.meta.url))
  const seeder = createWorkerProcess<null, void, string>(file, { idleTimeout: () => 0 })
  onEnd(async () => seeder.close())
  await seeder.run(null, { onProgress: progress }).catch((cause: unknown) => {
    throw new Error(`Seeding failed: ${oneLine(cause)}`, { cause })
  })
}

async function needsSitePictures(db: Db) {
  const { banners } = await readSection(db, 'home')
  return banners.length > 0 && !(await hasSitePictures(db))
}

/** Saves the settings of the demo. Several processes may call it at once. */
export async function seedSettings(
  { database, write, clock }: DataDeps,
  { demoData }: Pick<Config, 'demoData'>
): Promise<void> {
  if ((await readCounter(database.kysely, SETTINGS_SEED_COUNTER)) > 0) return
  const sections = demoData ? await readDemo() : {}
  await write(async trx => {
    // If two processes start at once, the second one waits here. Its result is 2.
    if ((await raiseCounter(trx, SETTINGS_SEED_COUNTER)) > 1) return
    const actor = { _id: null, name: DEMO_AUTHOR }
    for (const [name, value] of Object.entries(sections)) {
      const at = name === 'policies' ? TEXTS_UPDATED_AT : isoNow(clock)
      await insertSection(trx, name as SectionName, { value, version: 1, at, actor })
    }
    await raiseCounter(trx, 'catalog')
  })
}

async function readDemo(): Promise<Partial<Settings>> {
  const text = await readText('about.md')
  const tamilText = await readText('ta/about.md')
  return addTamil(
    { ...DEMO, about: { ...DEMO.about, text } },
    { ...TAMIL, about: { ...TAMIL.about, text: tamilText } }
  ) as Partial<Settings>
}

async function readText(file: string) {
  return (await readFile(new URL(file, import.meta.url), 'utf8')).trim()
}

/** Puts each text into the `translations` of the object at the same place. */
function addTamil(value: unknown, texts: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => addTamil(item, (texts as unknown[])[index]))
  }
  const parts = Object.entries(texts ?? {})
  const ta = Object.fromEntries(parts.filter(([, text]) => typeof text === 'string'))
  const inner = parts
    .filter(([, text]) => typeof text !== 'string')
    .map(([name, text]) => [name, addTamil((value as Record<string, unknown>)[name], text)])
  const translations = Object.keys(ta).length > 0 ? { translations: { ta } } : {}
  return { ...(value as object), ...Object.fromEntries(inner), ...translations }
}
