import type { CardProduct } from '../catalog/cards.ts'
import type { SearchData } from '../contract/content.ts'
import { foldWord, isTamil, splitWords } from './fold.ts'

type SearchedText = 'name' | 'nameTamil' | 'description' | 'category' | 'dietary'

export interface Searchable extends Pick<
  CardProduct,
  'id' | 'rating' | 'quantity' | 'sizes' | SearchedText
> {
  ingredients?: readonly string[]
}

const WEIGHTS = {
  name: 100,
  category: 40,
  collection: 35,
  pack: 30,
  ingredient: 20,
  dietary: 10,
  description: 5
}
const MATCHES = {
  exact: 1,
  prefix: 0.8,
  prefixOfKnown: 0.2,
  synonym: 0.9,
  edit: 0.5,
  consonants: 0.4
}
/** So short a known word does not find the words that begin with it. */
const MAX_EXACT = 3
/** Shorter words are not compared by edits. */
const MIN_EDITED = 5
const MIN_FOLDED = 4
const MIN_CONSONANTS = 4
const MIN_SPELLED = WEIGHTS.collection * MATCHES.synonym
const PACK = /^\d+(g|ml|pc)$/

type Scores = Float64Array

interface WordIndex {
  /** Scores only products that match all words. */
  findAll(words: readonly string[]): Scores
  findNearestWord(word: string): string | undefined
}

export function createIndex(
  products: readonly Searchable[],
  { categories, collections, synonyms }: SearchData
): WordIndex {
  const fold = memoize(foldWord)
  const findSynonyms = createSynonyms(synonyms, fold)
  const readText = memoize((text: string) => {
    const words = splitWords(text)
    const folded = words.map(fold)
    return { words, folded, synonyms: findSynonyms(folded) }
  })
  const entries = new Map<string, number[]>()
  /** Apart: they have too many words for prefixes. */
  const descriptions = new Map<string, number[]>()
  const skeletons = new Map<string, Set<string>>()
  const spellings = new Map<string, string>()

  function addWord(position: number, word: string, weight: number, spelling?: string) {
    const entry = entries.get(word)
    if (!entry) entries.set(word, [position, weight])
    else if (entry.at(-2) !== position) entry.push(position, weight)
    else if (weight > (entry.at(-1) ?? 0)) entry[entry.length - 1] = weight
    if (weight < MIN_SPELLED || spellings.has(word)) return
    if (spelling !== undefined) spellings.set(word, spelling)
    const skeleton = toSkeleton(word)
    skeletons.set(skeleton, (skeletons.get(skeleton) ?? new Set()).add(word))
  }

  function addText(position: number, text: string, weight: number) {
    const { words, folded, synonyms } = readText(text)
    folded.forEach((word, n) => addWord(position, word, weight, words[n]))
    for (const synonym of synonyms) addWord(position, fold(synonym), weight * MATCHES.synonym)
    if (weight < WEIGHTS.name) return
    for (const pair of words.slice(1).map((word, n) => `${words[n]}${word}`))
      addWord(position, fold(pair), weight)
    addWord(position, fold(words.join('')), weight)
  }

  const categoryByName = new Map(categories.map(category => [category.name, category]))
  products.forEach((product, position) => {
    const { id, sizes = [id], ingredients = [] } = product
    addText(position, product.name, WEIGHTS.name)
    addText(position, product.nameTamil, WEIGHTS.name)
    const category = categoryByName.get(product.category)
    if (category) addText(position, `${category.label}, ${category.labelTamil}`, WEIGHTS.category)
    for (const { name, nameTamil, products: members } of collections) {
      if (sizes.some(size => members.includes(size)))
        addText(position, `${name}, ${nameTamil}`, WEIGHTS.collection)
    }
    const { value, unit } = product.quantity
    addText(position, `${value} ${unit}`, WEIGHTS.pack)
    ingredients.forEach((ingredient, n) =>
      addText(position, ingredient, WEIGHTS.ingredient / (1 + n / 4))
    )
    for (const dietary of new Set(['vegetarian', product.dietary]))
      addText(position, dietary, WEIGHTS.dietary)
    for (const word of splitWords(product.description).map(fold)) {
      const positions = descriptions.get(word)
      if (positions) positions.push(position)
      else descriptions.set(word, [position])
    }
  })
  const vocabulary = [...entries.keys()].sort()

  function addMatches(found: Scores, word: string, quality: number) {
    const entry = entries.get(word) ?? []
    for (let n = 0; n < entry.length; n += 2) {
      const [position = 0, weight = 0] = [entry[n], entry[n + 1]]
      found[position] = Math.max(found[position] ?? 0, weight * quality)
    }
  }

  function listByPrefix(prefix: string) {
    return vocabulary.filter(word => word.startsWith(prefix))
  }

  function findByPrefix(word: string): Scores {
    const found = new Float64Array(products.length)
    for (const position of descriptions.get(word) ?? []) found[position] = WEIGHTS.description
    const isKnown = entries.has(word)
    const prefix = isKnown ? MATCHES.prefixOfKnown : MATCHES.prefix
    // Many words begin like a short one: ghee, ginger and gift have the keys 'ki', 'kinser' and
    // 'kipt'.
    const matches = isKnown && word.length <= MAX_EXACT ? [word] : listByPrefix(word)
    for (const match of matches) addMatches(found, match, match === word ? MATCHES.exact : prefix)
    return found
  }

  function addSimilar(found: Scores, word: string): Scores {
    const folded = fold(word)
    const mayHaveEdit = word.length >= MIN_EDITED && folded.length >= MIN_FOLDED && !/\d/.test(word)
    const candidates = mayHaveEdit ? listByPrefix(folded.slice(0, 1)) : []
    for (const match of candidates)
      if (isSimilar(folded, match)) addMatches(found, match, MATCHES.edit)
    const skeleton = toSkeleton(folded)
    if (isFound(found) || skeleton.length < MIN_CONSONANTS) return found
    for (const match of skeletons.get(skeleton) ?? []) addMatches(found, match, MATCHES.consonants)
    return found
  }

  function isSimilar(folded: string, match: string) {
    if (folded.length >= MIN_EDITED) return countEdits(folded, match, 1) <= 1
    return spellings.has(match) && countEdits(`${folded}.`, `${match}.`, 1) <= 1
  }

  return {
    findAll(words) {
      const needed = words.some(word => !PACK.test(word))
        ? words.filter(word => !PACK.test(word))
        : words
      const folded = needed.map(fold)
      const byWord = folded.map(findByPrefix)
      let found = addUp(byWord)
      if (needed.length > 1) {
        findByPrefix(fold(needed.join(''))).forEach((score, position) => {
          found[position] = Math.max(found[position] ?? 0, score * needed.length)
        })
      }
      if (!isFound(found)) {
        found = addUp(
          byWord.map((scores, n) =>
            isFound(scores) ? scores : addSimilar(scores, needed[n] ?? '')
          )
        )
      }
      if (!isFound(found))
        found = addUp(byWord.map((scores, n) => addSimilar(scores, needed[n] ?? '')))
      for (const pack of words.filter(word => !needed.includes(word))) {
        findByPrefix(pack).forEach((score, position) => {
          if (found[position]) found[position] += score
        })
      }
      return found
    },
    findNearestWord(word) {
      const folded = fold(word)
      if (
        spellings.has(folded) ||
        [...spellings.values()].some(spelling => spelling.startsWith(word))
      )
        return word
      const maxEdits = folded.length <= MIN_EDITED ? 1 : 2
      const [nearest] = listByPrefix(folded.slice(0, 1))
        .filter(match => Math.abs(match.length - folded.length) <= maxEdits)
        .map(match => ({
          spelling: spellings.get(match),
          edits: countEdits(`${folded}.`, `${match}.`, maxEdits)
        }))
        .filter(
          ({ spelling = '', edits }) => edits <= maxEdits && isTamil(spelling) === isTamil(word)
        )
        .sort((a, b) => a.edits - b.edits)
      return nearest?.spelling
    }
  }
}

function isFound(scores: Scores) {
  return scores.some(score => score > 0)
}

function addUp([first = new Float64Array(), ...others]: readonly Scores[]): Scores {
  return first.map((score, position) => {
    let sum = score
    for (const scores of others) sum = sum > 0 && scores[position] ? sum + scores[position] : 0
    return sum
  })
}

function toSkeleton(word: string) {
  return word.slice(0, 1) + word.slice(1).replace(/[aeiou]/g, '')
}

function createSynonyms(
  lines: string,
  fold: (word: string) => string
): (words: readonly string[]) => readonly string[] {
  const members = lines.split('\n').flatMap(line => {
    const group = line.split(',').map(splitWords)
    return group.map(member => ({
      folded: member.map(fold),
      others: group.filter(other => other !== member).flat()
    }))
  })
  const known = members.filter(({ folded }) => folded.length > 0)
  return words =>
    words.flatMap((_, n) =>
      known
        .filter(({ folded }) => folded.every((part, offset) => words[n + offset] === part))
        .flatMap(({ others }) => others)
    )
}

function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>()
  return text => {
    const result = results.get(text) ?? compute(text)
    results.set(text, result)
    return result
  }
}

/**
 * Optimal string alignment distance between `word` and the nearest beginning of `text`, or
 * `max + 1` if it is larger than `max`. With a full stop, their ends are compared too.
 */
function countEdits(word: string, text: string, max: number) {
  const width = Math.min(text.length, word.length + max)
  let before: number[] = []
  let above = Array.from({ length: width + 1 }, (_, column) => column)
  for (let row = 1; row <= word.length; row++) {
    const current = [row]
    for (let column = 1; column <= width; column++) {
      const isSame = word[row - 1] === text[column - 1]
      let edits = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1)
      )
      if (
        row > 1 &&
        column > 1 &&
        word[row - 1] === text[column - 2] &&
        word[row - 2] === text[column - 1]
      ) {
        edits = Math.min(edits, (before[column - 2] ?? 0) + 1)
      }
      current.push(edits)
    }
    if (Math.min(...current) > max) return max + 1
    before = above
    above = current
  }
  return Math.min(...above)
}
