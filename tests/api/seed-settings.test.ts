import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '#server/config.ts'
import { seedSettings } from '#server/demo/settings.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { systemClock } from '#server/platform/process/clock.ts'
import { readCurrentSections, readShopSettings } from '#server/settings/settings.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function openFirstStart() {
  const opened = await openEmptyDatabase('sqlite')
  onTestFinished(() => opened.close())
  await migrate(opened.database)
  const seed = (options: { demoData: boolean; root?: string }): Promise<void> =>
    seedSettings({ ...opened, clock: systemClock }, options)
  return {
    ...opened,
    seed,
    read: () => readShopSettings(opened.database.kysely),
    /** An administrator exists if the shop was started before settings were in the database. */
    addAdmin: () =>
      opened.write(trx =>
        trx
          .insertInto('users')
          .values({
            ...{
              id: 'meena',
              email: 'meena@shop.example',
              name: 'Meena',
              staff: 'owner',
              phone: '',
              address: null
            },
            ...{
              password_hash: null,
              verified_at: null,
              deleted_at: null,
              created_at: '2026-11-01T00:00:00.000Z'
            }
          })
          .execute()
      )
  }
}

/** A project folder in which the owner has edited the files of an older version. */
async function projectWithFiles(change: (shop: Record<string, unknown>) => void): Promise<string> {
  const root = await temporaryFolder()
  await cp(join(ROOT, 'server/demo/policies'), join(root, 'server/demo/policies'), {
    recursive: true
  })
  const shop = JSON.parse(await readFile(join(ROOT, 'server/demo/shop.json'), 'utf8')) as Record<
    string,
    unknown
  >
  change(shop)
  await mkdir(join(root, 'src/content'), { recursive: true })
  await writeFile(join(root, 'src/content/shop.json'), JSON.stringify(shop))
  await mkdir(join(root, 'src/prose'))
  await writeFile(
    join(root, 'src/prose/terms-and-conditions.md'),
    '---\ntitle: Terms\ndescription: Ours\nupdated: 2026-10-02\n---\n\nOur own terms.\n'
  )
  return root
}

test('the first start of the demo shop fills all settings, and says that it is a demo', async () => {
  const shop = await openFirstStart()
  await shop.seed({ demoData: true })
  const { isDemo, shop: details, home, policies } = await shop.read()
  expect([isDemo, details.name, home.banners.length]).toEqual([true, 'Palagaram', 3])
  expect(policies.every(({ text }) => text !== '')).toBe(true)
})

test('without demo data the first start leaves the settings empty, also at later starts', async () => {
  const shop = await openFirstStart()
  await shop.seed({ demoData: false })
  await shop.addAdmin()
  await shop.seed({ demoData: false })
  const { isDemo, shop: details, policies } = await shop.read()
  expect([isDemo, details.name]).toEqual([false, 'New shop'])
  expect(policies.every(({ text }) => text === '')).toBe(true)
})

test("an upgrade takes over the owner's files, even without demo data", async () => {
  const shop = await openFirstStart()
  await shop.addAdmin()
  const root = await projectWithFiles(file =>
    Object.assign(file, { name: 'Meena Sweets', email: 'meena@sweets.in' })
  )
  await shop.seed({ demoData: false, root })
  const { shop: details, policies } = await shop.read()
  expect([details.name, details.email]).toEqual(['Meena Sweets', 'meena@sweets.in'])
  expect(policies.find(({ name }) => name === 'terms')).toMatchObject({
    text: 'Our own terms.',
    updatedAt: '2026-10-02T06:00:00.000Z'
  })
})

test('after an upgrade only what the owner had left as it was counts as the demo', async () => {
  const shop = await openFirstStart()
  const root = await projectWithFiles(file => Object.assign(file, { fssai: '12419012000321' }))
  await shop.seed({ demoData: true, root })
  const sections = Object.entries(await readCurrentSections(shop.database.kysely))
  const own = sections.filter(([, { savedBy }]) => savedBy === 'Upgrade').map(([name]) => name)
  expect(own).toEqual(['legal', 'terms'])
  expect(
    sections
      .filter(([name]) => !own.includes(name))
      .every(([, { savedBy }]) => savedBy === 'Demo data')
  ).toBe(true)
})

test('a wrong value in an edited file is reported in one line', async () => {
  const shop = await openFirstStart()
  const root = await projectWithFiles(file => Object.assign(file, { fssai: '12' }))
  await expect(shop.seed({ demoData: true, root })).rejects.toThrow(
    /^[^\n]*shop\.json is invalid: fssai \([^\n]*\)$/
  )
})
