/** The icons in icons.svg from left to right. Each icon is a square of 24 units. */
export const ICONS = [
  'cart',
  'menu',
  'close',
  'back',
  'previous',
  'next',
  'pause',
  'play',
  'minus',
  'plus',
  'phone',
  'mail',
  'pin',
  'clock',
  'user',
  'instagram',
  'facebook',
  'leaf',
  'pot',
  'heart',
  'bike',
  'shield',
  'chat',
  'oven',
  'tag',
  'box'
] as const

export type IconName = (typeof ICONS)[number]
