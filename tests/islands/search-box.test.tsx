import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { respondWith, type Send } from '../support/session.ts'
import { makeCards, PAK_SIZES, PRODUCTS, toReply } from './product-list-page.tsx'

const DATA = {
  categories: [
    { name: 'sweets', label: 'Sweets', labelTamil: 'இனிப்புகள்' },
    { name: 'powders', label: 'Powders', labelTamil: 'பொடிகள்' }
  ],
  collections: [{ id: 'diwali', name: 'Diwali boxes', nameTamil: '', products: ['pak'] }],
  synonyms: '',
  bestsellers: [],
  contact: { phone: '', whatsapp: '' }
}
const CARDS = [...PRODUCTS.filter(({ id }) => id !== 'pak'), ...PAK_SIZES, ...makeCards(7)]
const online = respondWith({
  'GET /products': () => Response.json(toReply(CARDS)),
  'GET /search': () => Response.json(DATA)
})
const offline = respondWith({})
let send: Send = offline

beforeAll(async () => {
  const { configureApi } = await import('#lib/api.ts')
  configureApi({ base: '/api', send: (url, init) => send(url, init) })
  await import('#elements/search-box.ts')
})
beforeEach(() => void (send = online))
afterAll(() => document.body.replaceChildren())

/** Opens a page with the header's form, whose field has the focus. */
function openSearch(text = '') {
  const box = document.createElement('search-box')
  box.innerHTML = `<form><label>Search products <input type="search" name="q" value="${text}"></label></form>`
  document.body.innerHTML = '<main><button>Elsewhere</button></main>'
  document.body.prepend(box)
  const field = screen.getByRole('combobox', { name: 'Search products' })
  field.focus()
  return field
}

function type(text: string) {
  fireEvent.input(screen.getByRole('combobox'), { target: { value: text } })
}

function press(key: string) {
  return fireEvent.keyDown(screen.getByRole('combobox'), { key })
}

const options = () =>
  screen.queryAllByRole('option').map(option => option.textContent?.replace(/\s+/g, ' ').trim())
const active = () =>
  document.getElementById(screen.getByRole('combobox').getAttribute('aria-activedescendant') ?? '')
const isExpanded = () => screen.getByRole('combobox').getAttribute('aria-expanded') === 'true'

async function search(text: string) {
  openSearch(text)
  await screen.findAllByRole('option')
}

test('suggests products with picture, price and pack, and all results', async () => {
  await search('mysore')
  expect(options()).toEqual([
    'Mysore Pak பலகாரம் from ₹180.00 2 sizes',
    'All results for “mysore” (1)'
  ])
  const [product, all] = screen.getAllByRole('option')
  expect(product?.getAttribute('href')).toBe('/products/pak')
  expect(product?.querySelector('img')?.getAttribute('src')).toBe('/assets/pak.jpg')
  expect(all?.getAttribute('href')).toBe('/products?q=mysore')
  expect(isExpanded()).toBe(true)
  expect(screen.getByRole('status').textContent).toBe('1 suggestion')
})

test('suggests at most five products, with the pack size that the text names or that none is left', async () => {
  await search('Made this morning')
  expect(options()).toHaveLength(6)
  expect(options().at(-1)).toBe('All results for “Made this morning” (10)')
  type('halwa')
  expect(options()[0]).toContain('Out of Stock')
  type('mysore pak 1kg')
  expect(options()).toEqual([
    'Mysore Pak பலகாரம் ₹680.00 1 kg',
    'All results for “mysore pak 1kg” (1)'
  ])
  expect(screen.getAllByRole('option')[0]?.getAttribute('href')).toBe('/products/pak-1000')
})

test('suggests collections, and categories that have products', async () => {
  await search('diwali')
  expect(options()).toContain('Diwali boxes Collection')
  type('இனிப்புகள்')
  expect(options()[0]).toBe('Sweets Category')
  expect(screen.getAllByRole('option')[0]?.getAttribute('href')).toBe('/products?category=sweets')
  type('பொடிகள்')
  expect(options()).toEqual(['Nothing found for “பொடிகள்”'])
})

test('leads to the list when nothing matches, and hides when the field is empty', async () => {
  await search('mysore')
  type('qqqqqqq')
  expect([options(), isExpanded(), screen.getByRole('status').textContent]).toEqual([
    ['Nothing found for “qqqqqqq”'],
    true,
    'No suggestions'
  ])
  type('mysore')
  expect(isExpanded()).toBe(true)
  type(' ')
  expect([isExpanded(), screen.getByRole('status').textContent]).toEqual([false, ''])
})

test('moves with the arrow keys, Home and End, and back to the field at both ends', async () => {
  await search('Made this morning')
  const all = screen.getAllByRole('option')
  const positions = [
    'ArrowDown',
    'ArrowDown',
    'End',
    'ArrowDown',
    'ArrowUp',
    'Home',
    'ArrowUp'
  ].map(key => {
    press(key)
    return all.indexOf(active() as HTMLElement)
  })
  expect(positions).toEqual([0, 1, 5, -1, 5, 0, -1])
  expect(all.filter(option => option.getAttribute('aria-selected') === 'true')).toEqual([])
  expect(document.activeElement).toBe(screen.getByRole('combobox'))
  expect(press('Home')).toBe(true)
})

test('hides the suggestions after a tap outside or when the focus moves on', async () => {
  await search('mysore')
  fireEvent.pointerDown(screen.getByRole('main'))
  expect(isExpanded()).toBe(false)
  type('mysore p')
  expect(isExpanded()).toBe(true)
  screen.getByRole('button', { name: 'Elsewhere' }).focus()
  await waitFor(() => expect(isExpanded()).toBe(false))
})

test('shows the suggestions for a text that was typed before the products arrived', async () => {
  let reply: () => void = () => undefined
  const arrived = new Promise<void>(resolve => (reply = resolve))
  send = async (url, init) => {
    await arrived
    return online(url, init)
  }
  openSearch()
  type('mysore')
  expect(options()).toEqual([])
  reply()
  expect(await screen.findAllByRole('option')).toHaveLength(2)
  expect(screen.getByRole('combobox')).toHaveProperty('value', 'mysore')
})

test('leaves a plain form if the products do not load; the next focus tries again', async () => {
  send = offline
  const field = openSearch('mysore')
  await new Promise(resolve => setTimeout(resolve))
  expect([options(), press('Enter')]).toEqual([[], true])
  send = online
  await waitFor(() => {
    field.blur()
    field.focus()
    expect(isExpanded()).toBe(true)
  })
})
