export const CARD_DESCRIPTION_LENGTH = 100

export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, text.lastIndexOf(' ', maxLength - 1)).replace(/[,;:.]$/, '')}…`
}
