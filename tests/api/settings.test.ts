import { describe, expect, test } from 'vitest'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import { countLetters, findUnknownPlaceholder, MIN_POLICY_LETTERS } from '#lib/settings.ts'
import { SECTION_NAMES, type SectionName } from '#lib/contract/names.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { call, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
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
    const save = async (changes: object) => {
      const { value, version } = await shop.read('shop')
      const body = { value: { ...value, ...changes }, version }
      return call(shop, 'PUT /admin/settings/shop', { token, body })
    }
    const refused = await save({ name: 'Evil', email: 'evil@example.com', phone: '90000 12345' })
    expect([statusAndCode(refused), fieldsOf(refused)]).toEqual([
      '400 INVALID_INPUT',
      { 'value.name': ADMIN_MESSAGES.ownerField, 'value.email': ADMIN_MESSAGES.ownerField }
    ])
    await expectOk(save({ phone: '+91 98765 43210' }))
    for (const whatsapp of ['', '098765 43210', '+65 8123 4567']) await expectOk(save({ whatsapp }))
    expect(fieldsOf(await save({ whatsapp: '0431 241 2345' }))).toEqual({
      'value.whatsapp': 'Please enter a mobile number, such as 90000 12345 or +65 8123 4567'
    })
  })

  test('are refused if somebody else has saved a newer version, but not if sent twice', async () => {
    const shop = await openSettings(engine)
    const { value, version } = await shop.read('legal')
    const save = (fssai: string) =>
      shop.callAsAdmin('PUT /admin/settings/legal', { value: { ...value, fssai }, version })
    const numbers = ['1000 0000 0000 01', '10000000000002', '10000000000003']
    const replies = await Promise.all(numbers.map(save))
    expect(replies.map(statusAndCode).sort()).toEqual([
      '200',
      '409 EDIT_CONFLICT',
      '409 EDIT_CONFLICT'
    ])
    const saved = replies.findIndex(({ status }) => status === 200)
    expect((await save(numbers[saved] ?? '')).body).toEqual(replies[saved]?.body)
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
    await expectOutcome(shop.callAsAdmin('GET /admin/settings/about/versions/9'), '404 NOT_FOUND')
  })
})

describe('Settings', () => {
  test('publish a policy with its date, a GSTIN in capital letters, and never the sender of mails', async () => {
    const shop = await openSettings()
    await shop.save('terms', { text: 'New terms of {name}' })
    await shop.save('legal', { gstin: '33abcde1234f1z7' })
    const catalog = await readCounter(shop.database.kysely, 'catalog')
    await expectOk(shop.save('mail', { sender: 'orders@amma.example' }))
    expect(await readCounter(shop.database.kysely, 'catalog')).toBe(catalog)
    const published = await shop.publicShop()
    expect(published.policies.find(({ name }) => name === 'terms')).toMatchObject({
      text: 'New terms of {name}',
      updatedAt: '2026-11-21T04:00:00.000Z'
    })
    expect(published.legal.gstin).toBe('33ABCDE1234F1Z7')
    expect(JSON.stringify(published)).not.toContain('orders@amma.example')
  })

  test('write the policies from a few answers, but not over a text of the owner’s own', async () => {
    const shop = await openSettings()
    await shop.database.kysely.deleteFrom('settings').execute()
    const reply = await shop.save('refund', { text: '' })
    expect(fieldsOf(reply)).toEqual({ 'value.text': expect.stringMatching(/start from our text/) })
    const policies = async () => (await shop.publicShop()).policies
    const find = async () => (await policies()).find(({ name }) => name === 'refund')
    const refund = async () => (await find())?.text
    expect(await refund()).toBe('')
    await shop.save('policies', { cancel: 'packed', delivers: 'own' })
    for (const { text } of await policies()) {
      expect(countLetters(text)).toBeGreaterThan(MIN_POLICY_LETTERS)
      expect(text).not.toMatch(/\{\{|\[(own|courier|day|packed)\] |undefined/)
      expect(findUnknownPlaceholder(text)).toBeUndefined()
    }
    expect(await refund()).toMatch(/Powders and Pickles.*until we pack it.*5 to 8 days/s)
    expect(await find()).toHaveProperty('isBuiltIn', true)
    await shop.save('refund', { text: 'Ours.' })
    await shop.save('policies', { refundDays: '3 to 5' })
    expect(await refund()).toBe('Ours.')
    expect(await find()).not.toHaveProperty('isBuiltIn')
    await shop.save('refund', { text: '' })
    expect(await refund()).toContain('3 to 5 days')
  })

  test('refuse wrong values', async () => {
    const shop = await openSettings()
    const closed = { from: '2026-12-01', until: '2026-11-30', message: '' }
    const social = [{ name: 'X', url: 'javascript:alert(1)' }]
    const rows: [section: SectionName, changes: object, field: string, text: RegExp][] = [
      ['legal', { gstin: '33AAAAA0000A1Z1' }, 'gstin', /check/],
      ['legal', { fssai: '1234' }, 'fssai', /14 digits/],
      ['shop', { name: ' ' }, 'name', /^Please enter the name of your shop$/],
      ['shop', { mapPoint: '91° N, 300° E' }, 'mapPoint', /latitude/],
      ['shop', { social }, 'social.0.url', /./],
      ['policies', { refundDays: '1' }, 'refundDays', /./],
      ['privacy', { text: 'Fax {fax}' }, 'text', /\{fax\}/],
      ['about', { picture: 'nothing' }, 'picture', /not found/],
      ['home', { bestsellers: ['laddu', 'no-such'] }, 'bestsellers.1', /./],
      ['home', { bestsellers: [], featuredCategories: ['cakes'] }, 'featuredCategories.0', /./],
      ['categories', { categories: [] }, 'categories', /./],
      ['orders', { closed }, 'closed.until', /^The last day is before the first day$/],
      ['orders', { closed: { ...closed, until: '' } }, 'closed.until', /./]
    ]
    for (const [section, changes, field, text] of rows) {
      const { version } = await shop.read(section)
      const reply = await shop.save(section, changes)
      await expectOutcome(reply, '400 INVALID_INPUT', field)
      expect(fieldsOf(reply)).toEqual({ [`value.${field}`]: expect.stringMatching(text) })
      expect((await shop.read(section)).version).toBe(version)
    }
  })

  test('an uploaded picture that a setting uses can be read by its name', async () => {
    const shop = await openSettings()
    await shop.write(trx =>
      addToCatalog(trx, { pictures: { kitchen: { name: null } } }, shop.clock())
    )
    await expectOk(shop.save('about', { picture: 'kitchen-00000000' }))
    const pictures = (await shop.get('/pictures')).body as { name: string }[]
    expect(pictures.map(({ name }) => name)).toContain('kitchen-00000000')
  })

  test('a new category can be used by products, and stays while they use it', async () => {
    const shop = await openSettings()
    const { categories } = (await shop.read('categories')).value
    const texts = { label: 'Cakes', labelTamil: '', description: '', picture: '' }
    const cakes = { ...texts, name: 'cakes', hidden: false }
    const setCategory = (category: string) =>
      shop.callAsAdmin('PATCH /admin/products/laddu', { version: 1, category })
    expect(fieldsOf(await setCategory('cakes'))).toEqual({ category: 'Please choose a category' })
    await expectOk(shop.save('categories', { categories: [...categories, cakes] }))
    await expectOk(setCategory('cakes'))
    const reply = await shop.save('categories', { categories })
    expect(fieldsOf(reply)).toEqual({
      'value.categories': expect.stringContaining('still has products') as string
    })
  })

  test('a preview fills in placeholders and shows no HTML of the author', async () => {
    const shop = await openSettings()
    const content = '**{name}** <script>x</script>'
    const { text } = await shop.callAsAdmin('POST /admin/settings/preview', { content })
    expect(text).toContain('<strong>Palagaram Home Foods</strong> &lt;script')
  })

  test.for(['a fresh', 'the demo'])(
    'every section of %s shop can be opened and saved as it is',
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
      expect(refused).toEqual({})
    }
  )
})
