import { hasWords, listWords, normalize, toCards, toSearchedText } from '../catalog-filter.ts'
import type { SearchData } from '../contract/search.ts'
import { splitWords } from './fold.ts'
import { createIndex, type Scores, type Searchable } from './word-index.ts'

export interface Search<Found> {
  /** Returns the matching products, the best ones first. Pack sizes are products of their own. */
  find(text: string): Found[]
  /** Returns the nearest spelling that finds something, for a text that finds nothing. */
  suggestSpelling(text: string): string | undefined
}

/** Products that contain the typed text come first, however well other fields match. */
const TEXT_SCORES = { name: 2e6, description: 1e6 }
/** Products that contain only the letters of the typed words come last. */
const LETTERS_SCORE = 0.1
const STOP_WORDS = new Set('a and buy for in ka ke ki of online order price the with'.split(' '))

export function createSearch<Card extends Searchable>(cards: readonly Card[], data: SearchData): Search<Card> {
  // Products with the same score are in this order.
  const products = cards.toSorted((a, b) => b.rating - a.rating)
  const index = createIndex(products, data)
  const literals = products.map(product => ({
    names: toSearchedText({ ...product, description: '' }),
    all: toSearchedText(product)
  }))

  function findScores(text: string): Scores {
    const words = splitSearch(text)
    const scores = words.length === 0 ? new Float64Array(products.length) : index.findAll(words)
    const typed = normalize(text)
    const typedWords = listWords(text)
    return scores.map((score, n) => {
      const { names = '', all = '' } = literals[n] ?? {}
      if (all.includes(typed)) return score + (names.includes(typed) ? TEXT_SCORES.name : TEXT_SCORES.description)
      return score === 0 && hasWords(all, typedWords) ? LETTERS_SCORE : score
    })
  }

  function find(text: string): Card[] {
    const scores = findScores(text)
    return products
      .map((product, n) => ({ product, score: scores[n] ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ product }) => product)
  }

  return {
    find,
    suggestSpelling(text) {
      const typed = splitSearch(text)
      const known = typed.flatMap(word => index.findNearestWord(word) ?? [])
      // All known words together or, if these find nothing, the one with the fewest products.
      const choices = [known.join(' '), ...known].filter(choice => choice !== '' && choice !== typed.join(' '))
      const [whole, ...single] = choices.map(choice => ({ choice, count: toCards(find(choice)).length }))
      if (whole && whole.count > 0) return whole.choice
      return single.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count)[0]?.choice
    }
  }
}

function splitSearch(text: string): string[] {
  return splitWords(text).filter(word => !STOP_WORDS.has(word))
}
