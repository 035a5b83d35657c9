import type { AdminProduct } from '../contract/catalog.ts'
import { texts } from '../contract/texts.ts'
import { readPath, toTyped } from './field-values.ts'
import type { Typed } from './fields.ts'
import { PRODUCT_DEFAULTS, PRODUCT_FORM } from './product-fields.ts'

export const EMPTY_PRODUCT: Typed = toTyped(PRODUCT_FORM.specs, {
  ...PRODUCT_DEFAULTS,
  dietary: 'vegetarian',
  quantity: { value: 250, unit: 'g' },
  cookedToOrder: true,
  hidden: false,
  pictures: []
})

/** The next product is often of the same kind and size as the last one. */
export function toNewProduct(
  products: readonly AdminProduct[],
  categories: readonly { name: string }[]
): Typed {
  const [last] = products.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  if (!last) return EMPTY_PRODUCT
  const isKnown = categories.some(({ name }) => name === last.category)
  return {
    ...EMPTY_PRODUCT,
    ...(isKnown && { category: last.category }),
    'quantity.value': String(last.quantity.value),
    'quantity.unit': last.quantity.unit
  }
}

export function toNewSize(product: AdminProduct): Typed {
  const shared = PRODUCT_FORM.toTyped({ ...product, sale: null, hiddenAt: null })
  return { ...shared, price: '', 'quantity.value': '', cookedToOrder: 'true', stock: '' }
}

/** What ingredients are called in India, as one word without the plural's s. */
const WORDS = {
  milk:
    'milk ghee butter buttermilk curd dahi yogurt yoghurt cream malai paneer cheese khoa khoya ' +
    'mawa paal pal nei ney neyyi thayir vennai பால் நெய் தயிர் வெண்ணெய் கோவா பன்னீர்',
  nuts:
    'nut cashew cashewnut kaju mundhiri munthiri badam almond pista pistachio walnut akhrot ' +
    'hazelnut முந்திரி பாதாம் பிஸ்தா',
  peanuts: 'peanut groundnut verkadalai moongphali mungfali நிலக்கடலை வேர்க்கடலை',
  wheat:
    'wheat maida atta rava ravai rawa sooji suji semolina semiya vermicelli bread godhumai ' +
    'gothumai கோதுமை மைதா ரவை சேமியா',
  sesame: 'sesame til ellu gingelly nallennai எள் எள்ளு நல்லெண்ணெய்',
  soy: 'soy soya soybean சோயா'
} as const

type Allergen = keyof typeof WORDS
export const ALLERGENS = Object.keys(WORDS) as Allergen[]
export const ALLERGEN_LABELS: Readonly<Record<Allergen, string>> = texts({
  milk: 'milk',
  nuts: 'nuts',
  peanuts: 'peanuts',
  wheat: 'wheat',
  sesame: 'sesame',
  soy: 'soy'
})

const ALLERGEN_OF = new Map(
  ALLERGENS.flatMap(allergen => WORDS[allergen].split(' ').map(word => [word, allergen]))
)
/** Coconut milk has no milk, rice rava no wheat. */
const PLANTS = /^(coconut|thengai|thenga|almond|badam|soya?|rice|arisi|peanut|cocoa|தேங்காய்|அரிசி)$/

export function findAllergens(text: string): Allergen[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{M}]+/u)
  const found = words.map((word, index) => {
    const allergen = ALLERGEN_OF.get(word) ?? ALLERGEN_OF.get(word.replace(/s$/, ''))
    const isOfPlant = PLANTS.test(words[index - 1] ?? '')
    return isOfPlant && (allergen === 'milk' || allergen === 'wheat') ? undefined : allergen
  })
  return ALLERGENS.filter(allergen => found.includes(allergen))
}

/** `text` is what the label says, for example 'milk, nuts'. */
export function tickAllergen(text: string, allergen: Allergen, isTicked: boolean): string {
  const parts = text.split(/[,;/&\n]| and /).flatMap(part => part.trim() || [])
  const others = parts.filter(part => !findAllergens(part).includes(allergen))
  return [...others, ...(isTicked ? [allergen] : [])].join(', ')
}

const DAYS = { day: 1, week: 7, month: 30, year: 365 } as const

/** Reads "Best within 7-10 days" as '7'. */
function readShelfLifeDays(text: string) {
  const [, count, unit] = /(\d+)(?:\s*(?:-|–|to)\s*\d+)?\s*(day|week|month|year)/i.exec(text) ?? []
  if (count === undefined) return ''
  return String(Number(count) * DAYS[unit?.toLowerCase() as keyof typeof DAYS])
}

/** Also what follows from the field, as long as nobody has entered something else there. */
export function withSuggestions(typed: Typed, name: string, value: unknown): Typed {
  const [before, after] = [String(readPath(typed, name) ?? ''), String(value)]
  switch (name) {
    case 'shelfLife': {
      const days = String(typed['shelfLifeDays'])
      const isOwn = days !== '' && days !== readShelfLifeDays(before)
      return { [name]: value, ...(!isOwn && { shelfLifeDays: readShelfLifeDays(after) }) }
    }
    case 'ingredients': {
      const [old, found] = [findAllergens(before), findAllergens(after)]
      const changed = ALLERGENS.filter(each => old.includes(each) !== found.includes(each))
      const allergens = changed.reduce(
        (text, each) => tickAllergen(text, each, found.includes(each)),
        String(typed['allergens'])
      )
      return { [name]: value, ...(changed.length > 0 && { allergens }) }
    }
    default:
      return { [name]: value }
  }
}
