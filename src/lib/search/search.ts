import { hasWords, listWords, textRank, toCards } from '../catalog/cards.ts'
import { toSearchText } from '../contract/formats.ts'
import type { SearchData } from '../contract/content.ts'
import { splitWords } from './fold.ts'
import { createIndex, type Searchable } from './word-index.ts'

export interface Search<Found> {
  find(text: string): Found[]
  suggestSpelling(text: string): string | undefined
}

const LETTERS_SCORE = 0.1
const STOP_WORDS = new Set('a and buy for in ka ke ki of online order price the with'.split(' '))

export function createSearch<Card extends Searchable>(
  cards: readonly Card[],
  data: SearchData
): Search<Card> {
  const products = cards.toSorted((a, b) => b.rating - a.rating)
  const index = createIndex(products, data)

  function find(text: string): Card[] {
    const [typed, typedWords, words] = [toSearchText(text), listWords(text), splitSearch(text)]
    const scores = words.length === 0 ? [] : index.findAll(words)
    return products
      .map((product, n) => {
        const score = scores[n] || (hasWords(product, typedWords) ? LETTERS_SCORE : 0)
        return { product, rank: textRank(product, typed), score }
      })
      .filter(({ rank, score }) => rank > 0 || score > 0)
      .sort((a, b) => b.rank - a.rank || b.score - a.score)
      .map(({ product }) => product)
  }

  return {
    find,
    suggestSpelling(text) {
      const typed = splitSearch(text)
      const known = typed.flatMap(word => index.findNearestWord(word) ?? [])
      const choices = [known.join(' '), ...known].filter(
        choice => choice !== '' && choice !== typed.join(' ')
      )
      const [whole, ...single] = choices.map(choice => ({
        choice,
        count: toCards(find(choice)).length
      }))
      if (whole && whole.count > 0) return whole.choice
      return single.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count)[0]?.choice
    }
  }
}

function splitSearch(text: string) {
  return splitWords(text).filter(word => !STOP_WORDS.has(word))
}
