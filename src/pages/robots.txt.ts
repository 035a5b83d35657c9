import type { APIRoute } from 'astro'
import { PRIVATE_PATHS } from '#lib/paths.ts'

export const GET: APIRoute = ({ site }) => {
  const rules = PRIVATE_PATHS.map(path => `Disallow: ${path}`).join('\n')
  return new Response(
    `User-agent: *\n${rules}\n\nSitemap: ${new URL('/sitemap-index.xml', site).href}\n`
  )
}
