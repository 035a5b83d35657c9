import { paths } from '#lib/paths.ts'

interface SiteLink {
  name: string
  path: string
}

export const SHOP_LINKS: readonly SiteLink[] = [
  { name: 'Home', path: paths.home },
  { name: 'Products', path: paths.products },
  { name: 'Blog', path: paths.blogs },
  { name: 'About', path: paths.about },
  { name: 'Contact', path: paths.contact },
  { name: 'Flash Deal', path: paths.deals }
]
