import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { Settings } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS, type SectionName } from '#lib/settings.ts'
import { makeCard } from '../support/cards.ts'
import { openPage, PRIYA, respondWith } from '../support/session.ts'
import { field, press, waitForUpdates } from './profile-page.tsx'

afterEach(cleanup)

const TESTIMONIALS = ['Meena', 'Ravi'].map(name => ({ name, location: 'Chennai', comment: `${name} likes it` }))

const MURUKKU = { ...makeCard('murukku', { name: 'Murukku' }), pictures: [], ingredients: ['Rice'], stock: 9 }

interface Saved {
  value: object
  version: number
}

/** A server that keeps the versions of one section. `refuse` returns the field errors of a save. */
async function openSection<Name extends SectionName>(
  section: Name,
  value: Partial<Settings[Name]>,
  refuse: (saved: Saved) => Record<string, string> | undefined = () => undefined,
  isSaved = true
) {
  const first = { ...EMPTY_SETTINGS[section], ...value }
  const versions: Saved[] = isSaved ? [{ value: first, version: 1 }] : []
  const stored = (version = versions.length) => {
    const at = { savedAt: '2026-11-21T04:00:00.000Z', savedBy: 'Meena' }
    return Response.json({ value: first, version: 0, ...versions[version - 1], ...at })
  }
  const save = (sent: Saved): Response => {
    if (sent.version !== versions.length) return Response.json({ code: 'EDIT_CONFLICT', message: '' }, { status: 409 })
    const fields = refuse(sent)
    if (fields) return Response.json({ code: 'INVALID_INPUT', message: '', fields }, { status: 400 })
    versions.push({ value: sent.value, version: sent.version + 1 })
    return stored()
  }
  let body: unknown
  const reply = respondWith({
    'GET /auth/me': () => Response.json({ ...PRIYA, role: 'admin' }),
    'GET /pictures': () => Response.json([]),
    'GET /search': () => Response.json({ categories: [], collections: [] }),
    'GET /admin/searches': () => Response.json([{ text: 'gulab jamun', count: 3, lastDay: '2026-11-20' }]),
    'GET /products': () => Response.json([MURUKKU]),
    'GET /status': () => Response.json({ mailNotSetUp: true }),
    'POST /admin/settings/mail/test': () => Response.json({ message: 'The mail is in a folder.' }),
    'GET /admin/products': () => Response.json([]),
    'GET /admin/settings/categories': () => Response.json({ value: EMPTY_SETTINGS.categories, version: 1 }),
    ...Object.fromEntries(
      (['delivery', 'calendar', 'orders'] as const).map(name => [
        `GET /admin/settings/${name}`,
        () => Response.json({ value: EMPTY_SETTINGS[name], version: 0 })
      ])
    ),
    [`GET /admin/settings/${section}`]: () => stored(),
    [`GET /admin/settings/${section}/versions/1`]: () => stored(1),
    [`PUT /admin/settings/${section}`]: () => save(body as Saved)
  })
  await openPage({
    send: (url, init) => {
      body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
      return reply(url, init)
    },
    path: `/admin/settings?section=${section}`,
    token: 't',
    user: JSON.stringify({ ...PRIYA, role: 'admin' })
  })
  const { SectionEditor } = await import('#islands/admin/settings/SectionEditor.tsx')
  const { VersionView } = await import('#islands/admin/settings/VersionView.tsx')
  const open = async (): Promise<void> => {
    cleanup()
    render(<SectionEditor section={section} />)
    await waitForUpdates()
  }
  await open()
  return {
    open,
    openVersion: async (version: string): Promise<void> => {
      cleanup()
      render(<VersionView section={section} version={version} />)
      await waitForUpdates()
    },
    saveFromElsewhere: (changes: Partial<Settings[Name]>) =>
      versions.push({ value: { ...versions.at(-1)?.value, ...changes }, version: versions.length + 1 }),
    current: () => versions.at(-1)?.value as Settings[Name],
    versionCount: () => versions.length
  }
}

function type(label: string, text: string): void {
  fireEvent.change(field(label), { target: { value: text } })
}

const entry = (name: string) => within(screen.getByRole('group', { name }))
const focusedButton = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
const nameIn = (name: string): HTMLInputElement => entry(name).getByLabelText('Name')

describe('Form of a settings section', () => {
  test('shows the server’s text beside the refused field, focuses it, and keeps all that was typed', async () => {
    const fssaiText = 'Please check the FSSAI number: it has 14 digits'
    const shop = await openSection('legal', {}, ({ value }) =>
      (value as Settings['legal']).fssai === '1' ? { 'value.fssai': fssaiText } : undefined
    )
    type('FSSAI number', '1')
    type('Designation', 'Owner')
    await press('Save settings')
    expect(document.activeElement).toBe(field('FSSAI number'))
    expect(screen.getByText(fssaiText)).toBeTruthy()
    expect(field('Designation').value).toBe('Owner')
    type('FSSAI number', '12345678901234')
    expect(screen.queryByText(fssaiText)).toBeNull()
    await press('Save settings')
    expect(shop.current()).toMatchObject({ fssai: '12345678901234', grievanceOfficer: { designation: 'Owner' } })
  })

  test('can be sent again unchanged, because the reason of a refusal may be gone', async () => {
    let isInUse = true
    const shop = await openSection('categories', {}, () =>
      isInUse ? { 'value.categories': 'Still in use' } : undefined
    )
    await press('Remove category 1')
    await press('Save settings')
    expect(screen.getByText('Still in use')).toBeTruthy()
    isInUse = false
    await press('Save settings')
    expect(shop.current().categories).toHaveLength(4)
  })

  test('sends a policy that was never written even if nothing is typed, so that the reason is shown', async () => {
    const shop = await openSection('terms', {}, () => ({ 'value.text': 'Please write the text' }), false)
    await press('Save settings')
    expect(screen.getByText('Please write the text')).toBeTruthy()
    expect(document.activeElement).toBe(field('Text'))
    expect(shop.versionCount()).toBe(0)
  })

  test('shows the result of a test mail beside its button', async () => {
    await openSection('mail', {})
    await press('Send test mail')
    expect(screen.getByText('The mail is in a folder.')).toBeTruthy()
  })

  test('shows what a search finds with the typed synonyms, and what shoppers did not find', async () => {
    await openSection('search', { synonyms: 'murukku, chakli' })
    expect(screen.getByRole('row', { name: /gulab jamun.*3/ })).toBeTruthy()
    type('Try a search', 'kodubale')
    expect(screen.getByText(/^Finds nothing/)).toBeTruthy()
    type('Words', 'murukku, chakli, kodubale')
    expect((await screen.findByRole('listitem')).textContent).toBe('Murukku')
  })

  test('keeps a draft over a reload, based on the version that was changed', async () => {
    const shop = await openSection('legal', { fssai: '1' })
    type('GSTIN', 'mine')
    shop.saveFromElsewhere({ gstin: 'theirs' })
    await shop.open()
    expect(field('GSTIN').value).toBe('mine')
    expect(screen.getByText('We restored your unsaved draft.')).toBeTruthy()
    await press('Save settings')
    expect(screen.getByText('Yours:').parentElement?.textContent).toBe('Yours: mine')
    await press('Discard draft')
    expect(field('GSTIN').value).toBe('theirs')
  })
})

describe('Two people who change one section', () => {
  test('keep both changes if they changed different fields', async () => {
    const shop = await openSection('shop', { name: 'Palagaram', phone: '1' })
    type('Phone', '2')
    type('City', 'Trichy')
    shop.saveFromElsewhere({ name: 'Amma’s', address: { ...EMPTY_SETTINGS.shop.address, street: '4 Rockfort Road' } })
    await press('Save settings')
    expect(shop.current()).toMatchObject({
      name: 'Amma’s',
      phone: '2',
      address: { street: '4 Rockfort Road', city: 'Trichy' }
    })
  })

  test.for([
    ['Keep mine', 'mine'],
    ['Use their version', 'theirs']
  ] as const)('see both values of a field that both changed: %s', async ([button, name]) => {
    const shop = await openSection('shop', { name: 'Palagaram' })
    type('Shop name', 'mine')
    shop.saveFromElsewhere({ name: 'theirs', phone: '5' })
    await press('Save settings')
    expect(screen.getByText('Yours:').parentElement?.textContent).toBe('Yours: mine')
    expect(screen.getByText('Theirs:').parentElement?.textContent).toBe('Theirs: theirs')
    await press(button)
    expect(shop.current()).toMatchObject({ name, phone: '5' })
    if (button === 'Use their version') expect(field('Shop name').value).toBe('theirs')
  })
})

describe('List in a settings form', () => {
  test('entries are added, moved and removed, and the focus follows them', async () => {
    const shop = await openSection('home', { testimonials: TESTIMONIALS })
    await press('Add testimonial')
    expect(document.activeElement).toBe(nameIn('testimonial 3 of 3'))
    fireEvent.change(nameIn('testimonial 3 of 3'), { target: { value: 'Latha' } })
    await press('Move testimonial 3 up')
    expect(focusedButton()).toBe('Move testimonial 2 up')
    expect(nameIn('testimonial 2 of 3').value).toBe('Latha')
    await press('Move testimonial 2 up')
    // The first entry can't be moved up, so the focus is on its other button.
    expect(focusedButton()).toBe('Move testimonial 1 down')
    await press('Remove testimonial 2')
    expect(focusedButton()).toBe('Add testimonial')
    await press('Save settings')
    expect(shop.current().testimonials.map(({ name }) => name)).toEqual(['Latha', 'Ravi'])
  })

  test('a problem is shown in the entry that has it', async () => {
    await openSection('home', { testimonials: TESTIMONIALS }, () => ({
      'value.testimonials.1.comment': 'Please enter what the customer said'
    }))
    fireEvent.change(entry('testimonial 2 of 2').getByLabelText('What they said'), { target: { value: '' } })
    await press('Save settings')
    expect(entry('testimonial 2 of 2').getByText('Please enter what the customer said')).toBeTruthy()
    expect(document.activeElement).toBe(entry('testimonial 2 of 2').getByLabelText('What they said'))
  })

  test('a new category gets its name from its label', async () => {
    const shop = await openSection('categories', {})
    await press('Add category')
    fireEvent.change(entry('category 6 of 6').getByLabelText('Label'), { target: { value: 'Sweets' } })
    await press('Save settings')
    expect(shop.current().categories.at(-1)).toMatchObject({ name: 'sweets-2', label: 'Sweets', hidden: false })
  })
})

test('An earlier version is restored as a new version', async () => {
  const shop = await openSection('legal', { fssai: 'old' })
  shop.saveFromElsewhere({ fssai: 'new' })
  await shop.openVersion('1')
  expect(screen.getByText('old')).toBeTruthy()
  await press('Restore this version')
  await press('Restore version')
  expect([shop.current().fssai, shop.versionCount()]).toEqual(['old', 3])
})

describe('Tax form', () => {
  const rates = [{ category: '', rate: 5, hsn: '2106', from: '2025-09-22' }]

  test('sends rates as numbers and dated entries as they are typed', async () => {
    const shop = await openSection('tax', { rates })
    type('Your shop is', 'regular')
    await press('Add rate')
    const added = entry('rate 2 of 2')
    for (const [label, value] of [
      ['Category', 'pickles'],
      ['GST rate (%)', '12.5 %'],
      ['HSN code', '2001'],
      ['Applies from', '2026-12-01']
    ] as const)
      fireEvent.change(added.getByLabelText(label), { target: { value } })
    await press('Save settings')
    const pickles = { category: 'pickles', rate: 12.5, hsn: '2001', from: '2026-12-01' }
    expect(shop.current()).toMatchObject({ status: 'regular', rates: [...rates, pickles] })
  })

  test('shows beside the tick why other states are refused, until it is ticked', async () => {
    const text = 'Please ask an accountant first'
    const refuse = ({ value }: Saved) =>
      (value as Settings['tax']).accountantAsked ? undefined : { 'value.accountantAsked': text }
    const shop = await openSection('tax', {}, refuse, false)
    await press('Save settings')
    expect(screen.getByText(text)).toBeTruthy()
    fireEvent.click(screen.getByLabelText(/^I have asked an accountant/))
    expect(screen.queryByText(text)).toBeNull()
    await press('Save settings')
    expect(shop.current()).toMatchObject({ otherStates: true, accountantAsked: true })
  })
})

describe('Delivery forms', () => {
  const preview = () => within(screen.getByRole('region', { name: 'Try it' })).getByRole('status').textContent

  test('say what the unsaved rules mean for a pincode and a time', async () => {
    const shop = await openSection('calendar', {})
    type('Ordered at (India time)', '2026-11-24T15:00')
    expect(preview()).toBe('620018, Tue, 24 Nov, 3:00 pm → own delivery, ₹0, first day Thu 26 Nov')
    type('Orders until', '15:00')
    fireEvent.click(screen.getByRole('checkbox', { name: 'Friday' }))
    expect(preview()).toContain('first day Sat 28 Nov')
    type('Orders per day', '12')
    fireEvent.click(within(screen.getByRole('group', { name: 'Categories for large orders' })).getByLabelText('Sweets'))
    await press('Save settings')
    expect(shop.current()).toMatchObject({
      cutOff: '15:00',
      closedWeekdays: [5],
      ordersPerDay: 12,
      longCategories: ['sweets']
    })
  })

  test('name zones that are never used, and send a new zone with its defaults', async () => {
    const shop = await openSection('delivery', {})
    await press('Add zone')
    fireEvent.change(nameIn('zone 1 of 1'), { target: { value: 'South' } })
    fireEvent.change(entry('zone 1 of 1').getByLabelText('Pincodes'), { target: { value: '6' } })
    fireEvent.change(entry('zone 1 of 1').getByLabelText('Delivery fee'), { target: { value: '₹ 60' } })
    expect(preview()).toContain('own delivery, zone South, ₹60, first day')
    await press('Add zone')
    fireEvent.change(nameIn('zone 2 of 2'), { target: { value: 'Near' } })
    fireEvent.change(entry('zone 2 of 2').getByLabelText('Pincodes'), { target: { value: '620' } })
    expect(screen.getByText('“Near” is never used, because “South” above it has all its pincodes.')).toBeTruthy()
    await press('Remove zone 2')
    await press('Save settings')
    const zone = { name: 'South', pincodes: '6', method: 'own', fee: 60, freeAbove: 0, transitMin: 0, transitMax: 0 }
    expect(shop.current().zones).toEqual([{ ...zone, active: true }])
  })
})
