import type { FastifyReply, FastifyRequest } from 'fastify'
import { AsyncLocalStorage } from 'node:async_hooks'
import { readdirSync, readFileSync } from 'node:fs'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '#lib/constants.ts'
import { configureTexts, type Dictionary } from '#lib/contract/texts.ts'

const FOLDER = new URL('../../src/texts/', import.meta.url)

const current = new AsyncLocalStorage<Language>()
const dictionaries = new Map<Language, Dictionary>()

configureTexts(findDictionary, () => current.getStore())

function findDictionary(language: Language): Dictionary | undefined {
  if (language === DEFAULT_LANGUAGE) return undefined
  const dictionary = dictionaries.get(language) ?? readDictionary(language)
  dictionaries.set(language, dictionary)
  return dictionary
}

export function readDictionary(language: Language): Dictionary {
  const folder = new URL(`${language}/`, FOLDER)
  const files = readdirSync(folder).map(name => readFileSync(new URL(name, folder), 'utf8'))
  return Object.assign({}, ...files.map(file => JSON.parse(file) as Dictionary)) as Dictionary
}

/** Returns what `work` returns. Its texts, also those after an `await`, are in this language. */
export function inLanguage<Result>(language: Language, work: () => Result): Result {
  // A row may have a language that the shop no longer has.
  return current.run(isLanguage(language) ? language : DEFAULT_LANGUAGE, work)
}

/** For the history and files, which are in English. */
export function inEnglish<Result>(work: () => Result): Result {
  return inLanguage(DEFAULT_LANGUAGE, work)
}

/** Returns 'ta' for 'hi, ta-IN;q=0.9, en;q=0.8'. */
export function toLanguage(acceptLanguage = ''): Language {
  const wishes = acceptLanguage.split(',').map(wish => {
    const [range = '', ...options] = wish.split(';')
    const [code = ''] = range.trim().toLowerCase().split('-')
    const quality = options.find(option => /^\s*q=/.test(option))?.split('=')[1] ?? '1'
    return { code, quality: Number(quality) }
  })
  const known = wishes
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return known.map(({ code }) => code).find(isLanguage) ?? DEFAULT_LANGUAGE
}

/** A hook. It runs again before the validation, because reading a body loses the language. */
export function setLanguage(request: FastifyRequest, _: FastifyReply, done: () => void): void {
  inLanguage(toLanguage(request.headers['accept-language']), done)
}
