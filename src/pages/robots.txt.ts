import type { APIRoute } from 'astro'
import { LANGUAGE_CODES } from '#lib/constants.ts'
import { localPath, PRIVATE_PATHS } from '#lib/paths.ts'

export const GET: APIRoute = ({ site }) => {
  const rules = LANGUAGE_CODES.flatMap(code =>
    PRIVATE_PATHS.map(path => `Disallow: ${localPath(path, code)}`)
  ).join('\n')
  return new Response(
    `User-agent: *\n${rules}\n\nSitemap: ${new URL('/sitemap-index.xml', site).href}\n`
  )
}
