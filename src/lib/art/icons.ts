import sprite from './icons.svg?url'
import kolam from './kolam.svg?url'

/** For an `<img>`. */
export const KOLAM = {
  src: kolam,
  width: 150,
  height: 150,
  alt: '',
  loading: 'lazy',
  decoding: 'async'
} as const

/** Draws itself once. */
export const DRAWN_KOLAM = { ...KOLAM, src: `${kolam}#drawn`, loading: 'eager' } as const

export const ICONS = [
  ...[
    'back',
    'bike',
    'box',
    'cart',
    'chat',
    'check',
    'clock',
    'close',
    'down',
    'facebook',
    'filter',
    'heart',
    'home'
  ],
  ...[
    'instagram',
    'leaf',
    'mail',
    'menu',
    'minus',
    'next',
    'oven',
    'pause',
    'phone',
    'pin',
    'play',
    'plus',
    'pot'
  ],
  ...['previous', 'search', 'shield', 'sort', 'tag', 'up', 'user']
] as const

export type IconName = (typeof ICONS)[number]

export function iconUrl(name: IconName): string {
  return `${sprite}#${name}`
}
