import shop, { SHARED } from './tailwind.config.mjs'

/** For pages with islands, so that content pages don't carry the islands' classes. */
export default {
  ...shop,
  content: [...SHARED, './src/islands/**/*.{ts,tsx}'],
  corePlugins: { ...shop.corePlugins, translate: true, transform: true, fontVariantNumeric: true }
}
