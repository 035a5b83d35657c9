import sprite from './icons.svg?url'

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
  ...['previous', 'search', 'shield', 'tag', 'up', 'user']
] as const

export type IconName = (typeof ICONS)[number]

export function iconUrl(name: IconName): string {
  return `${sprite}#${name}`
}
