import type { SeedProduct } from './seed-product.ts'

export const POWDERS: readonly SeedProduct[] = [
  {
    id: 'sambar-powder',
    name: 'Sambar Powder',
    nameTamil: 'சாம்பார் பொடி',
    category: 'powders',
    description:
      'Sun-dried chillies, coriander seed, dals and fenugreek, each roasted on its own and milled together in ' +
      'small lots. Two teaspoons and a lime-sized ball of tamarind make sambar for four.',
    price: 160,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 50,
    ingredients: [
      'Red chillies',
      'Coriander seeds',
      'Toor dal',
      'Chana dal',
      'Cumin',
      'Fenugreek',
      'Black pepper',
      'Turmeric',
      'Curry leaves',
      'Asafoetida (contains wheat)'
    ],
    shelfLife: 'Best within 180 days of making',
    dietary: 'vegan',
    rating: 4.8
  },
  {
    id: 'rasam-powder',
    name: 'Rasam Powder',
    nameTamil: 'ரசப் பொடி',
    category: 'powders',
    description:
      'You taste pepper and cumin first, then coriander and toor dal. Stir a teaspoon into tamarind or tomato ' +
      'water, take it off the flame as soon as it froths, and the whole house will smell of it.',
    price: 80,
    quantity: { value: 100, unit: 'g', type: 'weight' },
    stock: 45,
    ingredients: ['Coriander seeds', 'Black pepper', 'Cumin', 'Red chillies', 'Toor dal', 'Curry leaves', 'Turmeric'],
    shelfLife: 'Best within 180 days of making',
    dietary: 'vegan',
    rating: 4.6
  },
  {
    id: 'idli-milagai-podi',
    name: 'Idli Milagai Podi',
    nameTamil: 'இட்லி மிளகாய்ப் பொடி',
    category: 'powders',
    description:
      'Also known as gunpowder: urad dal, chana dal, sesame and red chillies roasted dark and ground coarse enough ' +
      'to crunch. Make a well, pour in gingelly oil, and reach for another idli.',
    price: 130,
    quantity: { value: 200, unit: 'g', type: 'weight' },
    stock: 54,
    ingredients: ['Urad dal', 'Chana dal', 'Red chillies', 'Sesame seeds', 'Asafoetida (contains wheat)', 'Salt'],
    shelfLife: 'Best within 120 days of making',
    dietary: 'vegan',
    rating: 4.8
  },
  {
    id: 'turmeric-powder',
    name: 'Turmeric Powder',
    nameTamil: 'மஞ்சள் தூள்',
    category: 'powders',
    description:
      'Turmeric fingers from Erode, boiled, sun-dried, polished and milled with nothing added. The colour is deep, ' +
      'the smell earthy, and half a teaspoon is usually enough.',
    price: 95,
    quantity: { value: 200, unit: 'g', type: 'weight' },
    stock: 60,
    ingredients: ['Turmeric'],
    shelfLife: 'Best within 365 days of making',
    dietary: 'vegan',
    rating: 4.5
  },
  {
    id: 'paruppu-podi',
    name: 'Paruppu Podi',
    nameTamil: 'பருப்புப் பொடி',
    category: 'powders',
    description:
      'Toor dal and roasted gram ground fine with garlic, pepper and dried chilli. Mixed with hot rice and a ' +
      'spoon of ghee or gingelly oil, it is dinner on an evening when nobody wants to cook.',
    price: 135,
    quantity: { value: 200, unit: 'g', type: 'weight' },
    stock: 33,
    ingredients: [
      'Toor dal',
      'Roasted gram',
      'Red chillies',
      'Garlic',
      'Black pepper',
      'Cumin',
      'Asafoetida (contains wheat)',
      'Salt'
    ],
    shelfLife: 'Best within 120 days of making',
    dietary: 'vegan',
    rating: 4.6
  },
  {
    id: 'sathu-maavu',
    name: 'Sathu Maavu',
    nameTamil: 'சத்து மாவு',
    category: 'powders',
    description:
      'A health mix of sprouted ragi, wheat, pulses and nuts, dried, roasted and milled fine. Whisk two spoons ' +
      'into cold water, cook for five minutes and sweeten or salt the kanji as your family likes it.',
    price: 320,
    quantity: { value: 500, unit: 'g', type: 'weight' },
    stock: 25,
    ingredients: [
      'Sprouted ragi',
      'Whole wheat',
      'Pearl millet',
      'Parboiled rice',
      'Green gram',
      'Roasted gram',
      'Almonds (nuts)',
      'Cashew nuts',
      'Cardamom'
    ],
    shelfLife: 'Best within 120 days of making',
    dietary: 'vegan',
    rating: 4.7
  }
]
