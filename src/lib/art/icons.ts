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
/** By CSS, because styles inside of a picture don't know that motion is reduced. */
export const DRAWN = 'motion-safe:animate-[draw_600ms_ease-out]'

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
  ...['previous', 'search', 'share', 'shield', 'sort', 'tag', 'up', 'user']
] as const

export type IconName = (typeof ICONS)[number]

export function iconUrl(name: IconName): string {
  return `${sprite}#${name}`
}
