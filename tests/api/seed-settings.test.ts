import { expect, onTestFinished, test } from 'vitest'
import { SECTION_SCHEMAS } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { seedSettings } from '#server/demo/first-start.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { readCurrentSections, readShopSettings } from '#server/settings/settings.ts'
import { openEmptyDatabase } from '../support/database.ts'

async function openFirstStart() {
  const opened = await openEmptyDatabase('sqlite')
  onTestFinished(() => opened.close())
  await migrate(opened.database)
  return {
    ...opened,
    seed: (options: { demoData: boolean }) => seedSettings({ ...opened, clock: Date.now }, options),
    read: () => readShopSettings(opened.database.kysely)
  }
}

test('the first start of the demo shop fills all settings, and says that it is a demo', async () => {
  const shop = await openFirstStart()
  await shop.seed({ demoData: true })
  const { isDemo, shop: details, home, policies } = await shop.read()
  expect([isDemo, details.name, home.banners.length]).toEqual([true, 'Palagaram', 3])
  expect(policies.every(({ text }) => text !== '')).toBe(true)
  const sections = Object.entries(await readCurrentSections(shop.database.kysely))
  for (const [name, { value }] of sections)
    expect(SECTION_SCHEMAS[name as SectionName].parse(value), name).toEqual(value)
})

test('without demo data the first start leaves the settings empty, also at later starts', async () => {
  const shop = await openFirstStart()
  await shop.seed({ demoData: false })
  await shop.seed({ demoData: true })
  const { isDemo, shop: details, policies } = await shop.read()
  expect([isDemo, details.name]).toEqual([false, 'New shop'])
  expect(policies.every(({ text }) => text === '')).toBe(true)
})
