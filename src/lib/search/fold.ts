import { toSearchText } from '../contract/formats.ts'

/** A measure such as '1 kg' is one word with one unit: '1000g'. */
export function splitWords(text: string): string[] {
  return toMeasures(toSearchText(text)).match(WORDS) ?? []
}

/** One key for all usual spellings: 'lat' for லட்டு, laddu, laddoo and ladoos. */
export function foldWord(word: string): string {
  if (/\d|^(.)\1\1+$/.test(word)) return word
  return foldLatin(isTamil(word) ? toLatin(word) : removeMarks(word))
}

export function isTamil(word: string): boolean {
  return /[\u0b80-\u0bff]/.test(word)
}

const WORDS = /[\p{L}\p{M}\d]+/gu

function removeMarks(word: string) {
  return word.normalize('NFD').replace(/\p{M}/gu, '')
}

function toTable(pairs: string): Readonly<Partial<Record<string, string>>> {
  return Object.fromEntries(pairs.split(' ').map(pair => pair.split(':')))
}

const SOUNDS = toTable(
  'zh:l ch:s sh:s j:s z:s x:ks ph:p b:p f:p c:k g:k q:k d:t w:v h: oo:u ee:i ai:a ay:a y:i'
)
const SOUND = /[zcsp]h|oo|ee|a[iy]|[jzxbfcgqdwhy]/g

function foldLatin(word: string) {
  return (
    word
      .replace(/ies$/, 'i')
      .replace(/([^su])s$/, '$1')
      .replace(SOUND, letters => SOUNDS[letters] ?? letters)
      .replace(/(.)\1+/g, '$1')
      // A final u is often not written: 'sevu' and 'sev'.
      .replace(/(...)u$/, '$1')
  )
}

const CONSONANTS = toTable(
  'க:k ங:n ச:s ஞ:n ட:t ண:n த:t ந:n ப:p ம:m ய:y ர:r ' + 'ல:l வ:v ழ:l ள:l ற:r ன:n ஜ:s ஷ:s ஸ:s ஹ:h ஶ:s'
)
const VOWELS = toTable(
  'அ:a ஆ:a இ:i ஈ:i உ:u ஊ:u எ:e ஏ:e ஐ:ai ஒ:o ஓ:o ஔ:au \u0bbe:a \u0bbf:i \u0bc0:i \u0bc1:u ' +
    '\u0bc2:u \u0bc6:e \u0bc7:e \u0bc8:ai \u0bca:o \u0bcb:o \u0bcc:au'
)
const VIRAMA = '\u0bcd'

/** A consonant is followed by 'a', unless another vowel or a virama follows. */
function toLatin(word: string) {
  return [...word]
    .map((letter, index, letters) => {
      const consonant = CONSONANTS[letter]
      if (consonant === undefined) return VOWELS[letter] ?? (letter === VIRAMA ? '' : letter)
      const next = letters[index + 1] ?? ''
      return next === VIRAMA || /[\u0bbe-\u0bcc]/.test(next) ? consonant : `${consonant}a`
    })
    .join('')
}

const UNITS: readonly (readonly [RegExp, number, string])[] = [
  [/^k/, 1000, 'g'],
  [/^g/, 1, 'g'],
  [/^m/, 1, 'ml'],
  [/^l/, 1000, 'ml'],
  [/^p/, 1, 'pc']
]
const MEASURE =
  /(\d*\.?\d+|half|quarter)\s*(kgs?|kilos?|gm?s?|grams?|ml|litres?|l|pieces?|pcs?)(?![\p{L}\d])/gu

function toMeasures(text: string) {
  return text
    .replace(/(\d+)(?:\s*½|\s+1\/2\b)/g, '$1.5')
    .replace(/\b1\/2\b|½/g, '0.5')
    .replace(/\b1\/4\b|¼/g, '0.25')
    .replace(MEASURE, (_, value: string, written: string) => {
      const number = { half: 0.5, quarter: 0.25 }[value] ?? Number(value)
      const [, factor = 1, unit = written] = UNITS.find(([pattern]) => pattern.test(written)) ?? []
      return ` ${Math.round(number * factor)}${unit} `
    })
}
