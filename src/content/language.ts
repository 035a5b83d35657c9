import { AsyncLocalStorage } from 'node:async_hooks'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '#lib/constants.ts'
import { configureTexts, type Dictionary } from '#lib/contract/texts.ts'

const FILES = import.meta.glob<Dictionary>('../texts/*/*.json', { import: 'default', eager: true })

const dictionaries = new Map<string, Dictionary>()
for (const [file, texts] of Object.entries(FILES)) {
  const code = file.split('/').at(-2) ?? ''
  dictionaries.set(code, { ...dictionaries.get(code), ...texts })
}

const current = new AsyncLocalStorage<Language>()
configureTexts(
  code => dictionaries.get(code),
  () => current.getStore()
)

export function inLanguage<Result>(language: Language, work: () => Result): Result {
  return current.run(language, work)
}

export function languageOf(address: string): Language {
  const [, first = ''] = /^\/(\w+)(?=[/.]|$)/.exec(address) ?? []
  return isLanguage(first) ? first : DEFAULT_LANGUAGE
}
