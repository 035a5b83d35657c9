import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { SECTION_SCHEMAS, type Settings } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS, SECTION_NAMES, type SectionName } from '#lib/settings.ts'
import { findState } from '#lib/tax/states.ts'
import { ConfigError, ROOT } from '../config.ts'
import { raiseCounter, readCounter } from '../platform/db/counters.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { isoNow } from '../platform/process/clock.ts'
import { DEMO_AUTHOR } from '../settings/demo-details.ts'
import { insertSection } from '../settings/settings.ts'

/** This counter is above 0 after the first start, so that the files are read only once. */
const SETTINGS_SEED_COUNTER = 'settings-seed'
const UPGRADE_AUTHOR = 'Upgrade'

/**
 * Files of the demo, and the places where owners edited copies of them before settings were in the
 * database.
 */
const FILES = {
  shop: { demo: 'server/demo/shop.json', edited: 'src/content/shop.json' },
  about: { demo: 'server/demo/policies/about.md', edited: 'src/prose/about.md' },
  privacy: { demo: 'server/demo/policies/privacy.md', edited: 'src/prose/privacy-policy.md' },
  terms: { demo: 'server/demo/policies/terms.md', edited: 'src/prose/terms-and-conditions.md' },
  refund: {
    demo: 'server/demo/policies/refund.md',
    edited: 'src/prose/cancellation-and-refund.md'
  },
  shipping: {
    demo: 'server/demo/policies/shipping.md',
    edited: 'src/prose/shipping-and-delivery.md'
  }
}

type FileName = keyof typeof FILES
type FindFile = (name: FileName) => string

/**
 * Moves the shop's details from files into the database: those of the demo at the first start, or,
 * after an upgrade, those that the website showed until then. Several processes may call it at
 * once. Throws ConfigError.
 */
export async function seedSettings(
  { database, write, clock }: DataDeps,
  { demoData, root = ROOT }: { demoData: boolean; root?: string }
): Promise<void> {
  const { kysely } = database
  if ((await readCounter(kysely, SETTINGS_SEED_COUNTER)) > 0) return
  const settings =
    demoData || (await isUpgrade(kysely)) ? await readFiles(name => findFile(root, name)) : {}
  const demo = await readFiles(name => join(ROOT, FILES[name].demo))
  await write(async trx => {
    // If two processes start at once, the second one waits here until the first has committed. Its
    // result is 2.
    if ((await raiseCounter(trx, SETTINGS_SEED_COUNTER)) > 1) return
    await insertAll(trx, settings, demo, isoNow(clock))
    await raiseCounter(trx, 'catalog')
  })
}

/** Only a shop that was started before has users. */
async function isUpgrade(db: Db): Promise<boolean> {
  return (await countRows(db.selectFrom('users'))) > 0
}

async function insertAll(
  trx: Trx,
  settings: SeedSettings,
  demo: SeedSettings,
  now: string
): Promise<void> {
  for (const name of SECTION_NAMES) {
    const section = settings[name]
    if (!section) continue
    const isOwn = !isDeepStrictEqual(section.value, demo[name]?.value)
    const actor = { _id: null, name: isOwn ? UPGRADE_AUTHOR : DEMO_AUTHOR }
    await insertSection(trx, name, {
      value: section.value,
      version: 1,
      at: section.at ?? now,
      actor
    })
  }
}

/** `at` is the time of the last change, if the file tells it. */
type SeedSettings = { [Name in SectionName]?: { value: Settings[Name]; at?: string } }

async function readFiles(find: FindFile): Promise<SeedSettings> {
  const file = find('shop')
  const details = parseJson(file, await readFile(file, 'utf8'))
  const about = await readText(find('about'))
  const sections: SeedSettings = {
    ...toSections(details),
    about: {
      ...about,
      value: { ...about.value, picture: 'about-kitchen', values: details.values }
    },
    privacy: await readText(find('privacy')),
    terms: await readText(find('terms')),
    refund: await readText(find('refund')),
    shipping: await readText(find('shipping'))
  }
  for (const name of SECTION_NAMES) {
    const result = SECTION_SCHEMAS[name].safeParse(sections[name]?.value ?? EMPTY_SETTINGS[name])
    if (!result.success) {
      const problems = result.error.issues
        .map(({ path, message }) => `${path.join('.')} (${message})`)
        .join(', ')
      throw new ConfigError(
        `${name in FILES ? find(name as FileName) : file} is invalid: ${problems}`
      )
    }
  }
  return sections
}

function findFile(root: string, name: FileName): string {
  const edited = join(root, FILES[name].edited)
  return existsSync(edited) ? edited : join(root, FILES[name].demo)
}

type Feature = Settings['home']['features'][number]

/** The file in which owners edited the shop before settings were in the database. */
interface ShopFile extends Omit<Settings['shop'], 'mapPoint' | 'whatsapp' | 'logo'> {
  fssai: string
  gstin: string | null
  grievanceOfficer: Settings['legal']['grievanceOfficer']
  map: { latitude: number; longitude: number }
  hero: { heading: string; text: string; button: string; banners: { picture: string }[] }
  categories: Omit<Settings['categories']['categories'][number], 'hidden'>[]
  featuredCategories: string[]
  testimonials: Settings['home']['testimonials']
  whyChooseUs: Feature[]
  features: Feature[]
  values: Settings['about']['values']
}

function parseJson(file: string, text: string): ShopFile {
  try {
    return JSON.parse(text) as ShopFile
  } catch (cause) {
    throw new ConfigError(
      `${file} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`
    )
  }
}

function toSections(file: ShopFile): SeedSettings {
  const {
    name,
    nameTamil,
    line,
    tagline,
    description,
    legalName,
    address,
    phone,
    email,
    hours,
    social
  } = file
  const { street, area, city, state, pincode } = address
  const { heading, text, button, banners } = file.hero
  return {
    shop: {
      value: {
        ...{ name, nameTamil, line, tagline, description, legalName, phone, email, hours, social },
        address: { street, area, city, state: findState(state) || state, pincode },
        mapPoint: `${file.map.latitude}, ${file.map.longitude}`,
        whatsapp: '',
        logo: ''
      }
    },
    legal: {
      value: { fssai: file.fssai, gstin: file.gstin ?? '', grievanceOfficer: file.grievanceOfficer }
    },
    home: {
      value: {
        banners: banners.map(({ picture }, index) => ({
          picture: toPictureName(picture),
          alt: '',
          ...(index === 0
            ? { heading, text, button, link: '/products' }
            : { heading: '', text: '', button: '', link: '' })
        })),
        featuredCategories: file.featuredCategories,
        bestsellers: [],
        testimonials: file.testimonials,
        whyChooseUs: file.whyChooseUs,
        features: file.features
      }
    },
    categories: {
      value: {
        categories: file.categories.map(category => ({
          ...category,
          picture: toPictureName(category.picture),
          hidden: false
        }))
      }
    }
  }
}

function toPictureName(file: string): string {
  return file.replace(/\.jpg$/, '')
}

async function readText(
  file: string
): Promise<{ value: { description: string; text: string }; at: string }> {
  const [, head = '', text = ''] =
    /^---\r?\n(.*?)\r?\n---\r?\n(.*)$/s.exec(await readFile(file, 'utf8')) ?? []
  const field = (key: string): string =>
    new RegExp(`^${key}: (.*)$`, 'm').exec(head)?.[1]?.trim() ?? ''
  const updated = field('updated')
  if (!/^\d{4}-\d{2}-\d{2}$/.test(updated))
    throw new ConfigError(`${file} has no date, such as "updated: 2026-11-01"`)
  return {
    value: { description: field('description'), text: text.trim() },
    at: `${updated}T06:00:00.000Z`
  }
}
