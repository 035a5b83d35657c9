import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES, type Language } from '../constants.ts'

/** By English text. */
export type Dictionary = Readonly<Record<string, string>>

// The build writes a copy of each browser script per language, in which all texts are replaced.
const IS_REPLACED = import.meta.env?.PROD === true && !import.meta.env.SSR

let findDictionary = (_: Language): Dictionary | undefined => undefined
let findLanguage = (): string | undefined => globalThis.document?.documentElement.lang.split('-')[0]

/** Must be called before the first text is read. Browsers use the language of their page. */
export function configureTexts(
  dictionaryOf: (language: Language) => Dictionary | undefined,
  currentLanguage = findLanguage
): void {
  findDictionary = dictionaryOf
  findLanguage = currentLanguage
}

export function language(): Language {
  const code = findLanguage()
  return code !== undefined && isLanguage(code) ? code : DEFAULT_LANGUAGE
}

export function locale(): string {
  return IS_REPLACED ? document.documentElement.lang : LANGUAGES[language()].locale
}

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never
type Values<Text extends string, Value> = string extends Text
  ? [values?: Readonly<Record<string, Value>>]
  : [Names<Text>] extends [never]
    ? []
    : [values: Readonly<Record<Names<Text>, Value>>]

/**
 * In the language of the page, request or mail, so only inside functions. 'Open||verb' is shown as
 * 'Open' and translated apart from it.
 */
export function t<const Text extends string>(
  text: Text,
  ...[values]: Values<Text, string | number>
): string {
  return fill(translate(text), values)
}

type OtherValues<Text extends string> =
  Exclude<Names<Text>, 'count'> extends never
    ? []
    : [values: Readonly<Record<Exclude<Names<Text>, 'count'>, string | number>>]

/** Fills in `{count}` too. */
export function plural<const One extends string, const Other extends string>(
  count: number,
  one: One,
  other: Other,
  ...[values]: OtherValues<One | Other>
): string {
  const isOne = new Intl.PluralRules(locale()).select(count) === 'one'
  return fill(translate(isOne ? one : other), { count, ...values })
}

/** Returns the parts of a text with elements in it, such as links. */
export function rich<const Text extends string, Node>(
  text: Text,
  ...[nodes]: Values<Text, Node>
): (string | Node)[] {
  const byName: Readonly<Record<string, Node>> = nodes ?? {}
  return translate(text)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : (byName[part] as Node)))
    .filter(part => part !== '')
}

/**
 * The `lang` attribute of a text of the owner, which may have no translation. Undefined if it is in
 * the language of the page.
 */
export function langOf(text: string): Language | undefined {
  if (!/\p{L}/u.test(text)) return undefined
  const isLatin = !/(?!\p{Script=Latin})\p{L}/u.test(text)
  const own = language()
  const spoken = isLatin ? DEFAULT_LANGUAGE : /\p{Script=Tamil}/u.test(text) ? 'ta' : own
  return spoken === own ? undefined : spoken
}

/** Marks a text of a module, which `t` translates where it is shown. */
export const text = <const Text extends string>(english: Text): Text => english

/** A table of texts, which are translated each time that they are read. */
export function texts<const Tree extends object>(tree: Tree): Tree {
  return IS_REPLACED ? tree : lazily(tree, translate)
}

const lazyTrees = new WeakMap<object, object>()

/** Returns a view of a table that maps each string when it is read. */
export function lazily<Tree extends object>(tree: Tree, map: (value: string) => string): Tree {
  const known = lazyTrees.get(tree)
  if (known) return known as Tree
  const view = new Proxy(tree, {
    get(target, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver)
      if (typeof value === 'string') return map(value)
      return typeof value === 'object' && value !== null ? lazily(value, map) : value
    }
  })
  lazyTrees.set(tree, view)
  return view
}

function translate(english: string) {
  if (IS_REPLACED) return english
  return findDictionary(language())?.[english] ?? withoutContext(english)
}

export const withoutContext = (english: string): string => english.replace(/\|\|.*$/, '')

function fill(text: string, values: Readonly<Record<string, string | number>> = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
