import { expect, test } from 'vitest'
import { localize } from '#lib/localize.ts'

const laddu = {
  name: 'Rava Laddu',
  nameTamil: 'ரவா லட்டு',
  description: 'Roasted in ghee.',
  ingredients: ['Semolina', 'Ghee'],
  price: 180,
  translations: {
    ta: { description: 'நெய்யில் வறுத்தது.', ingredients: ['ரவை', 'நெய்'] },
    hi: { name: 'रवा लड्डू', description: '', ingredients: [] }
  }
}

test('shows texts of the language and swaps the names in Tamil', () => {
  expect(localize({ products: [laddu] }, 'ta')).toEqual({
    products: [
      {
        name: 'ரவா லட்டு',
        nameTamil: 'Rava Laddu',
        description: 'நெய்யில் வறுத்தது.',
        ingredients: ['ரவை', 'நெய்'],
        price: 180
      }
    ]
  })
})

test('shows English where a third language has no text', () => {
  const { translations: _, ...english } = laddu
  expect(localize(laddu, 'hi')).toEqual({ ...english, name: 'रवा लड्डू' })
  expect(localize(laddu, 'te')).toEqual(english)
  expect(localize(laddu, 'en')).toEqual(english)
})

test('reaches objects in lists and keeps names without Tamil', () => {
  const cook = { role: 'Cook', translations: { ta: { role: 'சமையல்' } } }
  const shop = {
    name: 'Palagaram',
    nameTamil: '',
    about: { cook, values: [{ title: 'Care', translations: { ta: { title: 'அக்கறை' } } }] },
    categories: [{ name: 'sweets', label: 'Sweets', labelTamil: 'இனிப்புகள்' }],
    closed: null
  }
  expect(localize(shop, 'ta')).toEqual({
    name: 'Palagaram',
    nameTamil: '',
    about: { cook: { role: 'சமையல்' }, values: [{ title: 'அக்கறை' }] },
    categories: [{ name: 'sweets', label: 'இனிப்புகள்', labelTamil: 'Sweets' }],
    closed: null
  })
})
