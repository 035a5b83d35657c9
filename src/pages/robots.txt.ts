import type { APIRoute } from 'astro'
import { PRIVATE_PATHS } from '#lib/paths.ts'

export const GET: APIRoute = ({ site }) => {
  const closed = PRIVATE_PATHS.map(path => `Disallow: ${path}`).join('\n')
  return new Response(`User-agent: *\n${closed}\n\nSitemap: ${new URL('/sitemap-index.xml', site).href}\n`)
}
