import type { SeedProduct } from './seed-product.ts'

export const SAVOURIES: readonly SeedProduct[] = [
  {
    id: 'manapparai-murukku',
    name: 'Manapparai Murukku',
    nameTamil: 'மணப்பாறை முறுக்கு',
    category: 'savouries',
    description:
      'Fried twice, as tradition demands: once until it sets, then again until it is golden right through. The ' +
      'crunch is loud and the taste mild, with cumin, ajwain and sesame. Pressed for us by a family in Manapparai ' +
      "with the town's own slightly salty water.",
    price: 140,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 55,
    ingredients: [
      'Rice flour',
      'Urad dal flour',
      'Groundnut oil',
      'Sesame seeds',
      'Cumin',
      'Ajwain',
      'Asafoetida (contains wheat)',
      'Salt'
    ],
    shelfLife: 'Best within 30 days of making',
    dietary: 'vegan',
    rating: 4.9
  },
  {
    id: 'thattai',
    name: 'Thattai',
    nameTamil: 'தட்டை',
    category: 'savouries',
    description:
      'Flat rice crackers, patted out on a cloth one by one, with chana dal and bits of curry leaf showing on the ' +
      'surface. Crisp to the very centre, with a little chilli at the end.',
    price: 130,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 42,
    ingredients: [
      'Rice flour',
      'Urad dal flour',
      'Chana dal',
      'Groundnut oil',
      'Red chilli powder',
      'Curry leaves',
      'Asafoetida (contains wheat)',
      'Salt'
    ],
    shelfLife: 'Best within 30 days of making',
    dietary: 'vegan',
    rating: 4.5
  },
  {
    id: 'ribbon-pakoda',
    name: 'Ribbon Pakoda',
    nameTamil: 'ரிப்பன் பகோடா',
    category: 'savouries',
    description:
      'Broad, ridged ribbons of rice and gram flour that curl as they hit the oil. Light, brittle and gently hot, ' +
      'they are always gone before the cricket match is over.',
    price: 110,
    quantity: { value: 200, unit: 'g', type: 'weight' },
    stock: 38,
    ingredients: [
      'Rice flour',
      'Gram flour',
      'Groundnut oil',
      'Sesame seeds',
      'Red chilli powder',
      'Asafoetida (contains wheat)',
      'Salt'
    ],
    shelfLife: 'Best within 30 days of making',
    dietary: 'vegan',
    rating: 4.3
  },
  {
    id: 'kara-sev',
    name: 'Kara Sev',
    nameTamil: 'காராச்சேவு',
    category: 'savouries',
    description:
      'Thick, knobbly sticks of gram flour, rubbed by hand through a brass ladle straight into hot oil. Garlic, ' +
      'black pepper and red chilli make it the fieriest thing we fry.',
    price: 150,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 36,
    ingredients: [
      'Gram flour',
      'Rice flour',
      'Groundnut oil',
      'Red chilli powder',
      'Garlic',
      'Black pepper',
      'Asafoetida (contains wheat)',
      'Salt'
    ],
    shelfLife: 'Best within 30 days of making',
    dietary: 'vegan',
    rating: 4.4
  },
  {
    id: 'madras-mixture',
    name: 'Madras Mixture',
    nameTamil: 'மெட்ராஸ் மிக்சர்',
    category: 'savouries',
    description:
      'Fine sev, boondi, peanuts, cashews, roasted gram and curry leaves fried crisp, each on its own, and only ' +
      'then tossed together with chilli and asafoetida. Good with coffee, better with curd rice.',
    price: 150,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 52,
    ingredients: [
      'Gram flour',
      'Rice flour',
      'Peanuts',
      'Cashew nuts',
      'Roasted gram',
      'Groundnut oil',
      'Curry leaves',
      'Red chilli powder',
      'Asafoetida (contains wheat)',
      'Salt'
    ],
    shelfLife: 'Best within 30 days of making',
    dietary: 'vegan',
    rating: 4.7
  },
  {
    id: 'banana-chips',
    name: 'Banana Chips',
    nameTamil: 'வாழைக்காய் சிப்ஸ்',
    category: 'savouries',
    description:
      'Raw Nendran bananas from the banks of the Cauvery, sliced thin straight into coconut oil and salted in the ' +
      'pan with turmeric water. Clean, crisp and faintly sweet under the salt.',
    price: 145,
    quantity: { value: 200, unit: 'g', type: 'weight' },
    stock: 44,
    ingredients: ['Raw Nendran banana', 'Coconut oil', 'Turmeric', 'Salt'],
    shelfLife: 'Best within 30 days of making',
    dietary: 'vegan',
    rating: 4.6
  },
  {
    id: 'uppu-seedai',
    name: 'Uppu Seedai',
    nameTamil: 'உப்புச் சீடை',
    category: 'savouries',
    description:
      'The small round savoury of Gokulashtami: rice flour, roasted urad dal and coconut rolled into marbles and ' +
      'fried until they rattle. Made with butter, so they are crisp outside and crumbly inside.',
    price: 85,
    quantity: { value: 150, unit: 'g', type: 'weight' },
    stock: 20,
    ingredients: [
      'Rice flour',
      'Urad dal flour',
      'Coconut',
      'Butter (milk)',
      'Sesame seeds',
      'Groundnut oil',
      'Asafoetida (contains wheat)',
      'Salt'
    ],
    shelfLife: 'Best within 30 days of making',
    dietary: 'vegetarian',
    rating: 4.4
  },
  {
    id: 'butter-biscuits',
    name: 'Butter Biscuits',
    nameTamil: 'வெண்ணெய் பிஸ்கட்',
    category: 'savouries',
    description:
      'The round, pale biscuit of Tamil bakeries, more salty than sweet, baked slowly until it crumbles at a touch. ' +
      'No egg: just flour, good butter, and a little sugar and salt.',
    price: 160,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 32,
    ingredients: ['Wheat flour', 'Butter (milk)', 'Sugar', 'Milk', 'Baking powder', 'Salt'],
    shelfLife: 'Best within 45 days of making',
    dietary: 'vegetarian',
    rating: 4.2
  }
]
