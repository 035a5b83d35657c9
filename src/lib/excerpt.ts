/** A card shows two lines of a description: never more than this many characters. */
export const CARD_DESCRIPTION = 100

/** The beginning of a text in whole words, at most so many characters. */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, text.lastIndexOf(' ', most - 1)).replace(/[,;:.]$/, '')}…`
}
