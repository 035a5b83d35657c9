/** The static card and the island use the same classes. Tailwind also reads this file. */
export const CARD = {
  card: 'card relative flex h-full flex-col overflow-hidden transition-shadow focus-within:shadow-lg hover:shadow-lg',
  frame: 'relative aspect-square w-full overflow-hidden bg-cream-deep',
  image: 'h-full w-full object-cover',
  soldOut:
    'absolute inset-0 grid place-items-center bg-ink/60 p-2 text-center font-semibold text-paper',
  inCart: 'absolute left-2 top-2 rounded-full bg-leaf px-3 py-1 text-sm font-semibold text-paper',
  deal: 'absolute bottom-2 left-2 rounded-full bg-paper px-3 py-1 text-sm font-semibold text-chilli',
  body: 'flex flex-1 flex-col gap-1 p-3 sm:p-4',
  heading: 'text-base leading-snug sm:text-lg',
  link: 'after:absolute after:inset-0 hover:text-chilli',
  tamil: 'text-sm text-ink/70 empty:hidden',
  description: 'line-clamp-2 text-sm text-ink/70 empty:hidden',
  facts: 'mt-auto flex flex-wrap items-baseline gap-x-2 pt-2',
  price: 'text-lg font-semibold text-chilli',
  from: '-mr-1 text-sm text-ink/70',
  pack: 'basis-full text-sm text-ink/70 sm:basis-auto',
  note: 'min-h-5 basis-full text-sm',
  low: 'peer font-semibold text-chilli',
  unitPrice: 'text-ink/70 peer-[:not([hidden])]:hidden',
  mark: 'inline-grid size-4 shrink-0 place-items-center self-center rounded-sm border-2 border-leaf',
  dot: 'size-1.5 rounded-full bg-leaf forced-colors:bg-[CanvasText]',
  button: 'button-quiet relative z-10 mt-3 w-full px-2 [@media(scripting:none)]:hidden'
} as const

export const CARD_SIZES = '(min-width: 1280px) 280px, (min-width: 768px) 33vw, calc(50vw - 1.5rem)'
export const CARD_MAX_WIDTH = 720

export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = text.slice(0, maxLength).search(/\s\S*$/)
  return `${text.slice(0, end < 0 ? maxLength - 1 : end).replace(/[,;:.]$/, '')}…`
}
