import type { APIRoute, GetStaticPaths } from 'astro'
import { getPicture } from '#content/catalog.ts'
import { inLanguage } from '#content/language.ts'
import { getShop } from '#content/shop.ts'
import { DEFAULT_LANGUAGE, LANGUAGE_CODES } from '#lib/constants.ts'
import { locale, t } from '#lib/contract/texts.ts'
import { listPictureWidths, toImageUrl, toPictureFileName } from '#lib/images.ts'
import { paths } from '#lib/paths.ts'

/** As many whole words as fit below an icon, but not “Sri” alone. */
const SHORT_NAME = /^.{4,11}\S(?!\S)/
/** In pixels. Chrome installs nothing with a smaller icon. */
const MIN_LOGO = 192
const COLOUR = '#FFF9F0'
const ICONS = [
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' }
]

/** One for the shop and one for the administration, in each language. */
export const getStaticPaths = (() =>
  LANGUAGE_CODES.flatMap(code => [
    { params: { app: `shop-${code}` } },
    { params: { app: `admin-${code}` } }
  ])) satisfies GetStaticPaths

export const GET: APIRoute = ({ params: { app = '' } }) => {
  const code = LANGUAGE_CODES.find(each => app.endsWith(`-${each}`)) ?? DEFAULT_LANGUAGE
  return inLanguage(code, async () => {
    const { name, tagline, logo } = await getShop()
    const about = app.startsWith('admin') ? describeAdmin(name) : describeShop(name, tagline)
    const manifest = {
      ...about,
      id: about.start_url,
      scope: '/',
      display: 'standalone',
      lang: locale(),
      icons: await listIcons(logo),
      theme_color: COLOUR,
      background_color: COLOUR
    }
    return new Response(JSON.stringify(manifest))
  })
}

/** Browsers take square icons only. */
async function listIcons(logo: string) {
  const { key = '', width = 0, height } = (await getPicture(logo)) ?? {}
  if (width < MIN_LOGO || width !== height) return ICONS
  return listPictureWidths(width).map(each => ({
    src: toImageUrl(toPictureFileName(key, each, 'webp')),
    sizes: `${each}x${each}`,
    type: 'image/webp'
  }))
}

function describeShop(name: string, tagline: string) {
  return {
    name,
    short_name: SHORT_NAME.exec(name)?.[0] ?? name,
    description: tagline,
    start_url: paths.home,
    shortcuts: [
      { name: t('My Orders'), url: paths.orders },
      { name: t('Your Cart'), url: paths.cart }
    ]
  }
}

function describeAdmin(name: string) {
  return {
    name: `${name} – ${t('Administration')}`,
    short_name: t('Admin'),
    start_url: paths.admin,
    shortcuts: [
      { name: t('Orders'), url: paths.adminOrders },
      { name: t('Kitchen'), url: paths.adminKitchen }
    ]
  }
}
