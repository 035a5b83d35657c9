type Fields = Readonly<Record<string, unknown>>

/** Names in two fields: pages and labels show a product's name in both scripts. */
const TAMIL_NAMES = { name: 'nameTamil', label: 'labelTamil' } as const

/**
 * Lays the texts of `translations` over those of their object, at any depth. Without a translation,
 * a text stays English. On Tamil pages, the Tamil name becomes the main one.
 */
export function localize<Value>(value: Value, language: string): Value {
  return localizePart(value, language) as Value
}

function localizePart(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map(item => localizePart(item, language))
  if (typeof value !== 'object' || value === null) return value
  const { translations, ...own } = value as Fields & { translations?: Record<string, Fields> }
  const texts = Object.entries(translations?.[language] ?? {}).filter(([, text]) => isFilled(text))
  const shown: Fields = { ...own, ...Object.fromEntries(texts) }
  const names = language === 'ta' ? swapNames(own) : {}
  return Object.fromEntries(
    Object.entries({ ...shown, ...names }).map(([name, part]) => [
      name,
      localizePart(part, language)
    ])
  )
}

function isFilled(text: unknown) {
  return text !== '' && text !== undefined && !(Array.isArray(text) && text.length === 0)
}

function swapNames(fields: Fields): Fields {
  const pairs = Object.entries(TAMIL_NAMES).filter(([, tamil]) => fields[tamil])
  return Object.fromEntries(
    pairs.flatMap(([name, tamil]) => [
      [name, fields[tamil]],
      [tamil, fields[name]]
    ])
  )
}
