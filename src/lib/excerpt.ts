/** In characters: a card shows two lines. */
export const CARD_DESCRIPTION_LENGTH = 100

/** Cuts between words. */
export function excerpt(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, text.lastIndexOf(' ', maxLength - 1)).replace(/[,;:.]$/, '')}…`
}
