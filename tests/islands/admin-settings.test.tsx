import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Settings } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { expectNotShown, expectShown, field, press } from '../support/page-input.ts'
import { entry, nameIn, openSection, type } from './settings-section.tsx'

afterEach(cleanup)

const TESTIMONIALS = ['Meena', 'Ravi'].map(name => ({
  name,
  location: 'Chennai',
  comment: `${name} likes it`
}))

const focusedButton = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent

describe('Form of a settings section', () => {
  test('shows the server’s text beside the refused field, focuses it, and keeps all that was typed', async () => {
    const fssaiText = 'Please check the FSSAI number: it has 14 digits'
    const shop = await openSection('legal', {}, ({ value }) =>
      (value as Settings['legal']).fssai === '1' ? { 'value.fssai': fssaiText } : undefined
    )
    type('FSSAI number', '1')
    type('Role', 'Owner')
    await press('Save settings')
    expect(document.activeElement).toBe(field('FSSAI number'))
    expectShown(fssaiText)
    expect(field('Role').value).toBe('Owner')
    type('FSSAI number', '12345678901234')
    expectNotShown(fssaiText)
    await press('Save settings')
    expect(shop.current()).toMatchObject({
      fssai: '12345678901234',
      grievanceOfficer: { designation: 'Owner' }
    })
  })

  test('fills in city and state of a new pincode, but not over what is typed', async () => {
    const shop = await openSection('shop', { name: 'Meena Sweets' })
    type('Pincode', '560001')
    await vi.waitFor(() => expect(field('City').value).toBe('Bengaluru'))
    type('Pincode', '620018')
    await vi.waitFor(() => expect(field('City').value).toBe('Tiruchirappalli'))
    await press('Thillai Nagar')
    type('City', 'Trichy')
    type('Pincode', '641001')
    await vi.waitFor(() => expect(field('City').value).toBe('Trichy'))
    await press('Save settings')
    const address = { area: 'Thillai Nagar', city: 'Trichy', state: 'Tamil Nadu' }
    expect(shop.current().address).toMatchObject({ ...address, pincode: '641001' })
  })

  test('fills in the mail server of a provider, and stores no password in the browser', async () => {
    const shop = await openSection('mail', {})
    await press('Send test email')
    expectShown('The mail is in a folder.')
    type('Provider', 'Zoho Mail')
    type('User name', 'meena@zoho.in')
    type('Password', 'app password')
    expect(JSON.stringify({ ...sessionStorage })).toContain('meena@zoho.in')
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('app password')
    await press('Save and test')
    const account = { server: 'smtp.zoho.in', port: 465, password: 'app password' }
    expect(shop.current()).toMatchObject(account)
  })

  test('shows what a search finds with the typed synonyms, and what shoppers did not find', async () => {
    await openSection('search', { synonyms: 'murukku, chakli' })
    expect(screen.getByRole('row', { name: /gulab jamun.*3/ })).toBeTruthy()
    type('Try a search', 'kodubale')
    expect(await screen.findByText(/^Finds nothing/)).toBeTruthy()
    type('Words', 'murukku, chakli, kodubale')
    expect((await screen.findByRole('listitem')).textContent).toBe('Murukku')
  })

  test('keeps a draft over a reload, based on the version that was changed', async () => {
    const shop = await openSection('legal', { fssai: '1' })
    type('Role', 'mine')
    shop.saveFromElsewhere({ grievanceOfficer: { name: '', designation: 'theirs' } })
    await shop.open()
    expect(field('Role').value).toBe('mine')
    expectShown('We restored your unsaved draft.')
    await press('Save settings')
    expect(screen.getByText('Yours:').parentElement?.textContent).toBe('Yours: mine')
    await press('Discard draft')
    expect(field('Role').value).toBe('theirs')
  })
})

describe('Two people who change one section', () => {
  test('keep both changes if they changed different fields', async () => {
    const shop = await openSection('shop', { name: 'Palagaram', phone: '1' })
    type('Phone', '2')
    type('City', 'Trichy')
    const address = { ...EMPTY_SETTINGS.shop.address, street: '4 Rockfort Road' }
    shop.saveFromElsewhere({ name: 'Amma’s', address })
    await press('Save settings')
    const both = { street: '4 Rockfort Road', city: 'Trichy' }
    expect(shop.current()).toMatchObject({ name: 'Amma’s', phone: '2', address: both })
  })

  test('see both values of a field that both changed, and choose one', async () => {
    const shop = await openSection('shop', { name: 'Palagaram' })
    type('Shop name', 'mine')
    type('City', 'Trichy')
    shop.saveFromElsewhere({ name: 'theirs', phone: '5' })
    await press('Save settings')
    expect(screen.getByText('Yours:').parentElement?.textContent).toBe('Yours: mine')
    expect(screen.getByText('Theirs:').parentElement?.textContent).toBe('Theirs: theirs')
    await press('Use their version')
    expect(shop.current()).toMatchObject({
      name: 'theirs',
      phone: '5',
      address: { city: 'Trichy' }
    })
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

  test('a new category gets its name from its label', async () => {
    const shop = await openSection('categories', {})
    await press('Add category')
    fireEvent.change(entry('category 6 of 6').getByLabelText('Label'), {
      target: { value: 'Sweets' }
    })
    await press('Save settings')
    expect(shop.current().categories.at(-1)).toMatchObject({
      name: 'sweets-2',
      label: 'Sweets',
      hidden: false
    })
  })
})

test('Texts and their translations stand side by side, and an empty one is not saved', async () => {
  const shop = await openSection('home', { testimonials: TESTIMONIALS })
  expectShown(/^Some texts are not in தமிழ் yet/)
  const tamil = () => entry('testimonial 1 of 2').getByLabelText('What they said · தமிழ்')
  expect(tamil().lang).toBe('ta')
  fireEvent.change(tamil(), { target: { value: 'நன்று' } })
  await press('Save settings')
  const [first, second] = shop.current().testimonials
  expect(first).toEqual({ ...TESTIMONIALS[0], translations: { ta: { comment: 'நன்று' } } })
  expect(second).toEqual(TESTIMONIALS[1])
  await shop.open()
  fireEvent.change(tamil(), { target: { value: '' } })
  await press('Save settings')
  expect(shop.current().testimonials[0]?.translations).toEqual({ ta: {} })
})

test('An earlier version is restored as a new version', async () => {
  const shop = await openSection('legal', { fssai: 'old' })
  shop.saveFromElsewhere({ fssai: 'new' })
  await shop.openVersion('1')
  expectShown('old')
  await press('Restore this version')
  await press('Restore version')
  expect([shop.current().fssai, shop.versionCount()]).toEqual(['old', 3])
})
