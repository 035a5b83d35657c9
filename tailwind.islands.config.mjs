import shop, { SHARED } from './tailwind.config.mjs'

/** Separate from the content pages, which don't need the islands' classes. */
export default {
  ...shop,
  content: [...SHARED, './src/islands/**/*.{ts,tsx}'],
  corePlugins: { ...shop.corePlugins, translate: true, transform: true }
}
