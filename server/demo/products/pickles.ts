import type { SeedProduct } from './seed-product.ts'

export const PICKLES: readonly SeedProduct[] = [
  {
    id: 'mango-avakkai',
    name: 'Mango Avakkai',
    nameTamil: 'ஆவக்காய் ஊறுகாய்',
    category: 'pickles',
    description:
      "Sour green mango cut with the stone's shell on, layered with fresh mustard powder, chilli and salt, and " +
      'covered with gingelly oil. It ripens in a ceramic jaadi for four weeks before we fill the jars. A spoon with ' +
      'hot rice and ghee is a meal.',
    price: 190,
    quantity: { value: 300, unit: 'g', type: 'weight' },
    stock: 46,
    ingredients: [
      'Raw mango',
      'Gingelly oil (sesame)',
      'Red chilli powder',
      'Mustard powder',
      'Rock salt',
      'Fenugreek seeds',
      'Turmeric'
    ],
    shelfLife: 'Best within 365 days of making',
    dietary: 'vegan',
    rating: 4.8
  },
  {
    id: 'lemon-pickle',
    name: 'Lemon Pickle',
    nameTamil: 'எலுமிச்சை ஊறுகாய்',
    category: 'pickles',
    description:
      'Thin-skinned country lemons, salted until their rinds turn soft, then finished with chilli, roasted ' +
      'fenugreek and gingelly oil. Bright, sour and only a little bitter: made for curd rice and long train ' +
      'journeys.',
    price: 145,
    quantity: { value: 300, unit: 'g', type: 'weight' },
    stock: 40,
    ingredients: [
      'Lemon',
      'Rock salt',
      'Gingelly oil (sesame)',
      'Red chilli powder',
      'Fenugreek',
      'Mustard seeds',
      'Turmeric',
      'Asafoetida (contains wheat)'
    ],
    shelfLife: 'Best within 300 days of making',
    dietary: 'vegan',
    rating: 4.4
  },
  {
    id: 'garlic-pickle',
    name: 'Garlic Pickle',
    nameTamil: 'பூண்டு ஊறுகாய்',
    category: 'pickles',
    description:
      'Small hill garlic, peeled clove by clove and cooked in gingelly oil with tamarind and lemon until it is ' +
      'soft all the way through. The sharpness goes, a mellow sweetness stays.',
    price: 220,
    quantity: { value: 300, unit: 'g', type: 'weight' },
    stock: 29,
    ingredients: [
      'Garlic',
      'Gingelly oil (sesame)',
      'Tamarind',
      'Lemon juice',
      'Red chilli powder',
      'Jaggery',
      'Salt',
      'Mustard seeds',
      'Fenugreek',
      'Asafoetida (contains wheat)'
    ],
    shelfLife: 'Best within 180 days of making',
    dietary: 'vegan',
    rating: 4.6
  },
  {
    id: 'tomato-thokku',
    name: 'Tomato Thokku',
    nameTamil: 'தக்காளித் தொக்கு',
    category: 'pickles',
    description:
      'Ripe country tomatoes cooked down with tamarind and chilli until the oil rises and a spoon stands upright in ' +
      'it. Spread it on dosai, fold it into rice, or take it along with chapatis.',
    price: 175,
    quantity: { value: 300, unit: 'g', type: 'weight' },
    stock: 37,
    ingredients: [
      'Tomato',
      'Gingelly oil (sesame)',
      'Red chilli powder',
      'Tamarind',
      'Salt',
      'Jaggery',
      'Mustard seeds',
      'Fenugreek',
      'Asafoetida (contains wheat)'
    ],
    shelfLife: 'Best within 90 days of making, kept in the fridge once open',
    dietary: 'vegan',
    rating: 4.7
  },
  {
    id: 'narthangai-pickle',
    name: 'Narthangai Pickle',
    nameTamil: 'நார்த்தங்காய் ஊறுகாய்',
    category: 'pickles',
    description:
      'Green citron in thick pieces, cured in salt until the bitter peel mellows, then spiced with chilli and ' +
      'fenugreek. Grandmothers keep a jar for days when nothing else tastes right.',
    price: 165,
    quantity: { value: 300, unit: 'g', type: 'weight' },
    stock: 0,
    ingredients: [
      'Citron (narthangai)',
      'Rock salt',
      'Gingelly oil (sesame)',
      'Red chilli powder',
      'Fenugreek',
      'Mustard seeds',
      'Turmeric',
      'Asafoetida (contains wheat)'
    ],
    shelfLife: 'Best within 300 days of making',
    dietary: 'vegan',
    rating: 4.5
  },
  {
    id: 'ginger-pickle',
    name: 'Ginger Pickle',
    nameTamil: 'இஞ்சி ஊறுகாய்',
    category: 'pickles',
    description:
      'Tender ginger cooked with tamarind and jaggery to a dark, sticky relish that is hot, sour and sweet by ' +
      'turns. Half a spoon beside pongal or adai is plenty.',
    price: 175,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 5,
    ingredients: [
      'Ginger',
      'Tamarind',
      'Jaggery',
      'Gingelly oil (sesame)',
      'Red chillies',
      'Salt',
      'Mustard seeds',
      'Fenugreek',
      'Asafoetida (contains wheat)'
    ],
    shelfLife: 'Best within 120 days of making',
    dietary: 'vegan',
    rating: 4.3
  }
]
