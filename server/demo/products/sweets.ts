import type { SeedProduct } from './seed-product.ts'

export const SWEETS: readonly SeedProduct[] = [
  {
    id: 'tirunelveli-halwa',
    name: 'Tirunelveli Halwa',
    nameTamil: 'திருநெல்வேலி அல்வா',
    category: 'sweets',
    description:
      'Samba wheat is soaked, ground and pressed until a white liquid runs out, which is then stirred with sugar and ' +
      'ghee until it is amber, glossy and comes away from the pan. It stretches a little and is so soft that you ' +
      'hardly need to chew. Warm a spoonful for ten seconds and eat it from a banana leaf.',
    price: 220,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 34,
    ingredients: ['Samba wheat', 'Sugar', 'Ghee (milk)', 'Cashew nuts'],
    shelfLife: 'Best within 20 days of making',
    dietary: 'vegetarian',
    rating: 4.8
  },
  {
    id: 'mysore-pak',
    name: 'Mysore Pak',
    nameTamil: 'மைசூர் பாக்',
    category: 'sweets',
    description:
      'The old, porous kind: hot ghee is ladled over gram flour in syrup until it froths up, and the froth sets ' +
      'into a honeycomb. It is crisp at the edge, sandy in the middle and gone in two bites.',
    price: 180,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 48,
    ingredients: ['Gram flour', 'Sugar', 'Ghee (milk)'],
    shelfLife: 'Best within 21 days of making',
    dietary: 'vegetarian',
    rating: 4.9
  },
  {
    id: 'adhirasam',
    name: 'Adhirasam',
    nameTamil: 'அதிரசம்',
    category: 'sweets',
    description:
      'Freshly pounded raw rice and jaggery syrup rest together for two days before they are patted into discs ' +
      'and fried slowly. Dark and crisp outside, soft and grainy inside, with dry ginger and cardamom at the end. ' +
      'They taste better on the second day than on the first.',
    price: 240,
    quantity: { value: 10, unit: 'piece', type: 'count' },
    stock: 30,
    ingredients: ['Raw rice', 'Jaggery', 'Cardamom', 'Dry ginger', 'Sesame seeds', 'Groundnut oil', 'Ghee (milk)'],
    shelfLife: 'Best within 15 days of making',
    dietary: 'vegetarian',
    rating: 4.7
  },
  {
    id: 'palkova',
    name: 'Palkova',
    nameTamil: 'பால்கோவா',
    category: 'sweets',
    description:
      'Full-cream milk, stirred over a low flame for most of a morning until only soft, sweet grains are left. ' +
      'There is little else in it: some sugar, a few strands of saffron and pistachio on top. Keep it cold and ' +
      'eat it soon.',
    price: 230,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 16,
    ingredients: ['Full-cream milk', 'Sugar', 'Saffron', 'Pistachios (nuts)'],
    shelfLife: 'Best within 7 days of making, kept in the fridge',
    dietary: 'vegetarian',
    rating: 4.7
  },
  {
    id: 'boondi-laddu',
    name: 'Boondi Laddu',
    nameTamil: 'பூந்தி லட்டு',
    category: 'sweets',
    description:
      'Tiny drops of gram flour batter, fried in ghee, soaked in syrup and pressed into rounds while still warm. ' +
      'There is a cashew or a raisin in every bite, and a clove or two for the scent.',
    price: 210,
    quantity: { value: 6, unit: 'piece', type: 'count' },
    stock: 40,
    ingredients: ['Gram flour', 'Sugar', 'Ghee (milk)', 'Cashew nuts', 'Raisins', 'Cardamom', 'Cloves'],
    shelfLife: 'Best within 12 days of making',
    dietary: 'vegetarian',
    rating: 4.8
  },
  {
    id: 'rava-laddu',
    name: 'Rava Laddu',
    nameTamil: 'ரவா லட்டு',
    category: 'sweets',
    description:
      'Semolina roasted patiently in ghee, ground fine with sugar and rolled by hand before it cools. Pale, ' +
      "crumbly and not too sweet: the laddu to have with four o'clock coffee.",
    price: 190,
    quantity: { value: 8, unit: 'piece', type: 'count' },
    stock: 28,
    ingredients: ['Semolina (wheat)', 'Sugar', 'Ghee (milk)', 'Cashew nuts', 'Cardamom'],
    shelfLife: 'Best within 15 days of making',
    dietary: 'vegetarian',
    rating: 4.4
  },
  {
    id: 'kaju-katli',
    name: 'Kaju Katli',
    nameTamil: 'முந்திரி கத்லி',
    category: 'sweets',
    description:
      'Whole cashews ground to a fine powder, cooked with sugar to a smooth dough and rolled out thin. The ' +
      'diamonds are cut by hand, finished with silver leaf and soft enough to bend before they break.',
    price: 380,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 4,
    ingredients: ['Cashew nuts', 'Sugar', 'Ghee (milk)', 'Edible silver leaf'],
    shelfLife: 'Best within 20 days of making',
    dietary: 'vegetarian',
    rating: 4.8
  },
  {
    id: 'badusha',
    name: 'Badusha',
    nameTamil: 'பாதுஷா',
    category: 'sweets',
    description:
      'A crumbly dough of flour, ghee and curd, pleated at the edge with the thumb and fried slowly so that it flakes ' +
      'into layers. Each one is dipped in cardamom syrup and dries to a thin glaze that cracks under the teeth.',
    price: 170,
    quantity: { value: 6, unit: 'piece', type: 'count' },
    stock: 22,
    ingredients: [
      'Refined wheat flour',
      'Sugar',
      'Ghee (milk)',
      'Curd (milk)',
      'Groundnut oil',
      'Baking powder',
      'Cardamom',
      'Pistachios (nuts)'
    ],
    shelfLife: 'Best within 10 days of making',
    dietary: 'vegetarian',
    rating: 4.3
  },
  {
    id: 'jangiri',
    name: 'Jangiri',
    nameTamil: 'ஜாங்கிரி',
    category: 'sweets',
    description:
      'Urad dal batter piped in loops like a small flower, fried in ghee and left in rose-scented syrup until the ' +
      'loops are full of syrup. Unlike jalebi it is soft and chewy rather than brittle. Bite gently, because the ' +
      'syrup runs out.',
    price: 190,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 24,
    ingredients: [
      'Urad dal',
      'Rice flour',
      'Sugar',
      'Ghee (milk)',
      'Rose water',
      'Saffron',
      'Natural colour (annatto, INS 160b)'
    ],
    shelfLife: 'Best within 7 days of making',
    dietary: 'vegetarian',
    rating: 4.5
  },
  {
    id: 'kadalai-mittai',
    name: 'Kadalai Mittai',
    nameTamil: 'கடலை மிட்டாய்',
    category: 'sweets',
    description:
      'Roasted peanuts, skinned and halved, held together only by dark jaggery that is cooked until it breaks with ' +
      'a snap. Every child in Tamil Nadu has had a square of this in a school bag.',
    price: 90,
    quantity: { value: 200, unit: 'g', type: 'weight' },
    stock: 60,
    ingredients: ['Peanuts', 'Jaggery', 'Cardamom', 'Dry ginger'],
    shelfLife: 'Best within 45 days of making',
    dietary: 'vegan',
    rating: 4.6
  },
  {
    id: 'coconut-burfi',
    name: 'Coconut Burfi',
    nameTamil: 'தேங்காய் பர்பி',
    category: 'sweets',
    description:
      'Freshly grated coconut cooked with sugar, milk and a little ghee, then cut into soft squares. Half the box ' +
      'is white; the other half gets its pink from beetroot juice.',
    price: 165,
    quantity: { value: 250, unit: 'g', type: 'weight' },
    stock: 26,
    ingredients: ['Fresh coconut', 'Sugar', 'Milk', 'Ghee (milk)', 'Beetroot juice', 'Cardamom'],
    shelfLife: 'Best within 7 days of making',
    dietary: 'vegetarian',
    rating: 4.3
  },
  {
    id: 'plum-cake',
    name: 'Plum Cake',
    nameTamil: 'பிளம் கேக்',
    category: 'sweets',
    description:
      'An eggless loaf, dark with caramel and heavy with raisins, cherries and nuts that were soaked in orange ' +
      'juice for a week, and spiced with cinnamon, clove and nutmeg. Slice it thinly: it is rich.',
    price: 450,
    quantity: { value: 500, unit: 'g', type: 'weight' },
    stock: 0,
    ingredients: [
      'Wheat flour',
      'Raisins',
      'Candied cherries',
      'Sugar',
      'Butter (milk)',
      'Curd (milk)',
      'Cashew nuts',
      'Almonds (nuts)',
      'Orange juice',
      'Baking powder',
      'Baking soda',
      'Cinnamon',
      'Clove',
      'Nutmeg'
    ],
    shelfLife: 'Best within 30 days of making',
    dietary: 'vegetarian',
    rating: 4.6
  }
]
