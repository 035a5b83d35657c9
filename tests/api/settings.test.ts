import { describe, expect, test } from 'vitest'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { POLICY_NAMES, SECTION_NAMES, type SectionName } from '#lib/contract/names.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { call, statusAndCode } from '../support/accounts.ts'
import { addToCatalog } from '../support/catalog.ts'
import { addShopper } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openSettings } from '../support/settings.ts'
import type { Reply } from '../support/shop.ts'

const fieldsOf = ({ body }: Reply): unknown => (body as { fields?: unknown }).fields

describe.for(ENGINES)('Settings on %s', engine => {
  test('are published as soon as they are saved, with a new version', async () => {
    const shop = await openSettings(engine)
    const catalog = await readCounter(shop.database.kysely, 'catalog')
    const reply = await shop.save('shop', { name: 'Amma’s Kitchen', phone: '+91 98765 43210' })
    expect([reply.status, reply.body]).toEqual([
      200,
      expect.objectContaining({
        version: 2,
        savedBy: expect.any(String),
        savedAt: '2026-11-21T04:00:00.000Z'
      })
    ])
    expect((await shop.publicShop()).shop).toMatchObject({
      name: 'Amma’s Kitchen',
      phone: '+91 98765 43210'
    })
    expect(await readCounter(shop.database.kysely, 'catalog')).toBeGreaterThan(catalog)
  })

  test('let managers change the shop’s details, but not the sender of its mails', async () => {
    const shop = await openSettings(engine)
    const { token } = await addShopper(shop, 'mani', 'manager')
    const save = async (changes: object): Promise<Reply> => {
      const { value, version } = await shop.read('shop')
      return call(shop, 'PUT /admin/settings/shop', {
        token,
        body: { value: { ...value, ...changes }, version }
      })
    }
    const refused = await save({
      name: 'Evil',
      email: 'evil@example.com',
      phone: '+91 98765 43210'
    })
    expect([statusAndCode(refused), fieldsOf(refused)]).toEqual([
      '400 INVALID_INPUT',
      { 'value.name': ADMIN_MESSAGES.ownerField, 'value.email': ADMIN_MESSAGES.ownerField }
    ])
    expect(statusAndCode(await save({ phone: '+91 98765 43210' }))).toBe('200')
  })

  test('are refused if somebody else has saved a newer version', async () => {
    const shop = await openSettings(engine)
    const { value, version } = await shop.read('legal')
    const save = (fssai: string): Promise<Reply> =>
      shop.callAsAdmin('PUT /admin/settings/legal', { value: { ...value, fssai }, version })
    const replies = await Promise.all(
      ['10000000000001', '10000000000002', '10000000000003'].map(save)
    )
    expect(replies.map(statusAndCode).sort()).toEqual([
      '200',
      '409 EDIT_CONFLICT',
      '409 EDIT_CONFLICT'
    ])
  })

  test('get one new version if the same request is sent twice', async () => {
    const shop = await openSettings(engine)
    const { value, version } = await shop.read('legal')
    const change = { value: { ...value, fssai: '10000000000001' }, version }
    const replies = [
      await shop.callAsAdmin('PUT /admin/settings/legal', change),
      await shop.callAsAdmin('PUT /admin/settings/legal', change)
    ]
    expect(replies.map(statusAndCode)).toEqual(['200', '200'])
    expect(replies[1]?.body).toEqual(replies[0]?.body)
    expect((await shop.callAsAdmin('GET /admin/settings/legal/versions')).body).toHaveLength(
      version + 1
    )
  })

  test('keep every earlier version, so that one can be restored', async () => {
    const shop = await openSettings(engine)
    await shop.save('about', { text: 'First text' })
    await shop.save('about', { text: 'Second text' })
    const versions = (await shop.callAsAdmin('GET /admin/settings/about/versions'))
      .body as StoredSection[]
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1])
    const earlier = (await shop.callAsAdmin('GET /admin/settings/about/versions/2'))
      .body as StoredSection<'about'>
    expect(earlier.value.text).toBe('First text')
    await shop.save('about', earlier.value)
    expect((await shop.publicShop()).about).toMatchObject({ text: 'First text' })
    expect(statusAndCode(await shop.callAsAdmin('GET /admin/settings/about/versions/9'))).toBe(
      '404 NOT_FOUND'
    )
  })
})

describe('Settings', () => {
  test('a policy shows the date on which it was saved', async () => {
    const shop = await openSettings()
    await shop.save('terms', { text: 'New terms of {name}' })
    const { policies } = await shop.publicShop()
    expect(policies.find(({ name }) => name === 'terms')).toMatchObject({
      text: 'New terms of {name}',
      updatedAt: '2026-11-21T04:00:00.000Z'
    })
  })

  test('the sender of mails is not published', async () => {
    const shop = await openSettings()
    const catalog = await readCounter(shop.database.kysely, 'catalog')
    expect((await shop.save('mail', { sender: 'orders@amma.example' })).status).toBe(200)
    expect(await readCounter(shop.database.kysely, 'catalog')).toBe(catalog)
    expect(JSON.stringify(await shop.publicShop())).not.toContain('orders@amma.example')
  })

  test.for<[SectionName, object, Record<string, string>]>([
    [
      'legal',
      { gstin: '33AAAAA0000A1Z1' },
      { 'value.gstin': expect.stringContaining('check') as string }
    ],
    ['legal', { fssai: '1234' }, { 'value.fssai': expect.stringContaining('14 digits') as string }],
    ['shop', { name: ' ' }, { 'value.name': 'Please enter the name of your shop' }],
    [
      'shop',
      { mapPoint: '91, 300' },
      { 'value.mapPoint': expect.stringContaining('latitude') as string }
    ],
    [
      'shop',
      { social: [{ name: 'X', url: 'javascript:alert(1)' }] },
      { 'value.social.0.url': expect.any(String) as string }
    ],
    [
      'privacy',
      { text: '  ' },
      { 'value.text': expect.stringContaining('write the text') as string }
    ],
    [
      'privacy',
      { text: 'Fax {fax}' },
      { 'value.text': expect.stringContaining('{fax}') as string }
    ],
    [
      'about',
      { picture: 'nothing' },
      { 'value.picture': expect.stringContaining('not found') as string }
    ],
    [
      'home',
      { bestsellers: ['laddu', 'no-such'] },
      { 'value.bestsellers.1': expect.any(String) as string }
    ],
    [
      'home',
      { featuredCategories: ['cakes'] },
      { 'value.featuredCategories.0': expect.any(String) as string }
    ],
    ['categories', { categories: [] }, { 'value.categories': expect.any(String) as string }],
    [
      'orders',
      { closed: { from: '2026-12-01', until: '2026-11-30', message: '' } },
      { 'value.closed.until': 'The last day is before the first day' }
    ],
    [
      'orders',
      { closed: { from: '2026-12-01', until: '', message: '' } },
      { 'value.closed.until': expect.any(String) as string }
    ]
  ])('refuse wrong values of %s: %o', async ([section, changes, fields]) => {
    const shop = await openSettings()
    const reply = await shop.save(section, changes)
    expect([statusAndCode(reply), fieldsOf(reply)]).toEqual(['400 INVALID_INPUT', fields])
    expect((await shop.read(section)).version).toBe(EXPECTED_VERSIONS[section] ?? 1)
  })

  test('a GSTIN is saved in capital letters', async () => {
    const shop = await openSettings()
    expect((await shop.save('legal', { gstin: '33abcde1234f1z7' })).status).toBe(200)
    expect((await shop.publicShop()).legal.gstin).toBe('33ABCDE1234F1Z7')
  })

  test('an uploaded picture that a setting uses can be read by its name', async () => {
    const shop = await openSettings()
    await shop.write(trx =>
      addToCatalog(trx, { pictures: { kitchen: { name: null } } }, shop.clock())
    )
    expect((await shop.save('about', { picture: 'kitchen-00000000' })).status).toBe(200)
    const pictures = (await shop.get('/pictures')).body as { name: string }[]
    expect(pictures.map(({ name }) => name)).toContain('kitchen-00000000')
  })

  test('a new category can be used by products, and stays while they use it', async () => {
    const shop = await openSettings()
    const { categories } = (await shop.read('categories')).value
    const cakes = {
      name: 'cakes',
      label: 'Cakes',
      labelTamil: '',
      description: '',
      picture: '',
      hidden: false
    }
    const setCategory = (category: string): Promise<Reply> =>
      shop.callAsAdmin('PATCH /admin/products/laddu', { version: 1, category })
    expect(fieldsOf(await setCategory('cakes'))).toEqual({ category: 'Please choose a category' })
    expect((await shop.save('categories', { categories: [...categories, cakes] })).status).toBe(200)
    expect((await setCategory('cakes')).status).toBe(200)
    const reply = await shop.save('categories', { categories })
    expect(fieldsOf(reply)).toEqual({
      'value.categories': expect.stringContaining('still has products') as string
    })
  })

  test('a preview fills in placeholders and shows no HTML of the author', async () => {
    const shop = await openSettings()
    const reply = await shop.callAsAdmin('POST /admin/settings/preview', {
      content: '**{name}** <script>x</script>'
    })
    expect(reply.body).toEqual({
      html: expect.stringContaining('<strong>Palagaram Home Foods</strong> &lt;script') as string
    })
  })

  test.for([
    ['formats', '*a_'.repeat(6000)],
    ['quotes and lists', '> - '.repeat(5000)]
  ])(
    'a text with too many %s is refused quickly, on preview and on save',
    async ([, text = '']) => {
      const shop = await openSettings()
      await shop.callAsAdmin('POST /admin/settings/preview', { content: 'Rice' })
      const start = process.cpuUsage()
      const preview = await shop.callAsAdmin('POST /admin/settings/preview', { content: text })
      expect(statusAndCode(preview)).toBe('422 TEXT_NOT_RENDERABLE')
      expect(fieldsOf(await shop.save('terms', { text }))).toHaveProperty('value.text')
      const { user, system } = process.cpuUsage(start)
      // In ms of CPU time: some 200 on a quiet machine.
      expect((user + system) / 1000).toBeLessThan(2000)
    }
  )

  test('every section of a shop without settings can be opened', async () => {
    const shop = await openSettings()
    await shop.database.kysely.deleteFrom('settings').execute()
    const replies = SECTION_NAMES.map(name => shop.callAsAdmin(`GET /admin/settings/${name}`))
    expect(new Set((await Promise.all(replies)).map(statusAndCode))).toEqual(new Set(['200']))
  })

  test.for(['a fresh', 'the demo'])(
    'every section of %s shop can be saved as it is',
    async kind => {
      const shop = await openSettings()
      if (kind === 'a fresh') await shop.database.kysely.deleteFrom('settings').execute()
      const refused: Record<string, unknown> = {}
      for (const section of SECTION_NAMES) {
        const { version } = await shop.read(section)
        const reply = await shop.save(section, {})
        if (reply.status === 200) expect(reply.body).toMatchObject({ version: version + 1 })
        else refused[section] = fieldsOf(reply)
      }
      // A policy is empty until the owner has written it.
      const unwritten = { 'value.text': expect.stringContaining('write the text') as string }
      const policies = POLICY_NAMES.map(name => [name, unwritten])
      expect(refused).toEqual(kind === 'a fresh' ? Object.fromEntries(policies) : {})
    }
  )

  test('a shop without settings shows only its name', async () => {
    const shop = await openSettings()
    await shop.write(async trx => {
      await trx.deleteFrom('settings').execute()
    })
    const { isDemo, ...settings } = await shop.publicShop()
    expect(isDemo).toBe(false)
    expect(settings.shop).toEqual(EMPTY_SETTINGS.shop)
    expect(settings.legal).toEqual(EMPTY_SETTINGS.legal)
    expect(settings.categories.map(({ name }) => name)).toEqual([
      'powders',
      'savouries',
      'pickles',
      'sweets',
      'seer_items'
    ])
  })
})

/** The demo has not saved these sections. */
const EXPECTED_VERSIONS: Partial<Record<SectionName, number>> = { orders: 0, mail: 0 }
