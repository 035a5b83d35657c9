import { paths } from '#lib/paths.ts'

export const SHOP_LINKS = [
  { name: 'Home', path: paths.home },
  { name: 'Products', path: paths.products },
  { name: 'Blog', path: paths.blogs },
  { name: 'About', path: paths.about },
  { name: 'Contact', path: paths.contact },
  { name: 'Flash Deal', path: paths.deals }
]
