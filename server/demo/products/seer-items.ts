import type { SeedProduct } from './seed-product.ts'

export const SEER_ITEMS: readonly SeedProduct[] = [
  {
    id: 'seer-murukku',
    name: 'Seer Murukku',
    nameTamil: 'சீர் முறுக்கு',
    category: 'seer_items',
    description:
      'Eleven giant kai murukku, twisted by hand without any mould into coils as wide as a plate. Butter and ' +
      'coconut oil keep them light for their size. They come stacked in a rigid box, ready to be set on your own ' +
      'thattu.',
    price: 620,
    quantity: { value: 11, unit: 'piece', type: 'count' },
    stock: 15,
    ingredients: [
      'Rice flour',
      'Urad dal flour',
      'Butter (milk)',
      'Coconut oil',
      'Cumin',
      'Asafoetida (contains wheat)',
      'Salt'
    ],
    shelfLife: 'Best within 25 days of making',
    dietary: 'vegetarian',
    rating: 4.6
  },
  {
    id: 'seer-adhirasam',
    name: 'Seer Adhirasam',
    nameTamil: 'சீர் அதிரசம்',
    category: 'seer_items',
    description:
      'Fifty-one adhirasam of one size and one colour, packed in layers between banana leaves so that they reach ' +
      'the wedding hall unbroken. The dough is the same as for our small box and also rests for two days. Order a ' +
      'week ahead in the wedding months.',
    price: 1080,
    quantity: { value: 51, unit: 'piece', type: 'count' },
    stock: 12,
    ingredients: ['Raw rice', 'Jaggery', 'Cardamom', 'Dry ginger', 'Sesame seeds', 'Groundnut oil', 'Ghee (milk)'],
    shelfLife: 'Best within 15 days of making',
    dietary: 'vegetarian',
    rating: 4.7
  },
  {
    id: 'seer-laddu',
    name: 'Seer Laddu',
    nameTamil: 'சீர் லட்டு',
    category: 'seer_items',
    description:
      'Fifty-one boondi laddus, weighed so that they stack into an even pyramid on the plate. Fried in ghee and ' +
      'full of cashews and raisins, because guests do notice.',
    price: 1480,
    quantity: { value: 51, unit: 'piece', type: 'count' },
    stock: 14,
    ingredients: ['Gram flour', 'Sugar', 'Ghee (milk)', 'Cashew nuts', 'Raisins', 'Cardamom', 'Cloves'],
    shelfLife: 'Best within 12 days of making',
    dietary: 'vegetarian',
    rating: 4.8
  },
  {
    id: 'paruppu-thengai',
    name: 'Paruppu Thengai',
    nameTamil: 'பருப்புத் தேங்காய்',
    category: 'seer_items',
    description:
      'A pair of tall cones, moulded from peanuts and cashews in hard jaggery syrup and wrapped in red paper. No ' +
      'betrothal plate is complete without them. They keep their shape for the whole ceremony and are broken and ' +
      'shared afterwards.',
    price: 690,
    quantity: { value: 2, unit: 'piece', type: 'count' },
    stock: 2,
    ingredients: ['Peanuts', 'Cashew nuts', 'Jaggery', 'Ghee (milk)', 'Cardamom'],
    shelfLife: 'Best within 21 days of making',
    dietary: 'vegetarian',
    rating: 4.7
  },
  {
    id: 'manoharam',
    name: 'Manoharam',
    nameTamil: 'மனோகரம்',
    category: 'seer_items',
    description:
      'Plain murukku sticks of rice and moong dal, fried crisp and turned in jaggery syrup until every piece has a ' +
      'thin dark coat. Cardamom, dry ginger and slivers of coconut give it the taste of a festival.',
    price: 340,
    quantity: { value: 500, unit: 'g', type: 'weight' },
    stock: 18,
    ingredients: [
      'Rice flour',
      'Moong dal flour',
      'Jaggery',
      'Coconut',
      'Coconut oil',
      'Cardamom',
      'Dry ginger',
      'Salt'
    ],
    shelfLife: 'Best within 20 days of making',
    dietary: 'vegan',
    rating: 4.4
  },
  {
    id: 'seer-varisai-hamper',
    name: 'Seer Varisai Hamper',
    nameTamil: 'சீர்வரிசைத் தட்டு',
    category: 'seer_items',
    description:
      'One cane tray, lined with banana leaf and ready to carry in: 11 laddus, 11 adhirasam, 5 seer murukku and ' +
      'half a kilo each of Mysore pak, jangiri and mixture. Tell us the hour of the ceremony and we pack it that ' +
      'morning. The brass plate in the picture stays with us.',
    price: 2150,
    quantity: { value: 1, unit: 'piece', type: 'count' },
    stock: 3,
    ingredients: [
      'Gram flour',
      'Rice and rice flour',
      'Urad dal',
      'Sugar',
      'Jaggery',
      'Ghee (milk)',
      'Butter (milk)',
      'Cashew nuts',
      'Peanuts',
      'Roasted gram',
      'Raisins',
      'Sesame seeds',
      'Groundnut oil',
      'Coconut oil',
      'Curry leaves',
      'Cumin',
      'Red chilli powder',
      'Cardamom',
      'Cloves',
      'Dry ginger',
      'Rose water',
      'Saffron',
      'Natural colour (annatto, INS 160b)',
      'Asafoetida (contains wheat)',
      'Salt'
    ],
    shelfLife: 'Best within 7 days of making',
    dietary: 'vegetarian',
    rating: 4.9
  }
]
