/** Tailwind also reads this file. */
export const CARD = {
  soldOut:
    'absolute inset-0 grid place-items-center bg-ink/60 p-2 text-center font-semibold text-paper',
  alone: 'only:col-[1/-1] only:mx-auto only:w-72',
  inCart: 'badge absolute left-2 top-2 bg-leaf text-paper',
  deal: 'badge-deal absolute bottom-2 left-2'
} as const

export const CARD_SIZES = '(min-width: 1280px) 240px, (min-width: 768px) 33vw, calc(50vw - 1.5rem)'
export const CARD_MAX_WIDTH = 720

export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = text.slice(0, maxLength).search(/\s\S*$/)
  return `${text.slice(0, end < 0 ? maxLength - 1 : end).replace(/[,;:.]$/, '')}…`
}

/** On a phone's card: the first whole clause that fits two lines, if any. A list is no clause. */
export function toCardText(description: string): string {
  const clause = /^.{12,30}(?=[.;:] |$|, (?!\w+( \w+)?( and|,)))/.exec(description)?.[0] ?? ''
  return clause.replace(/\w$/, '$&.')
}
