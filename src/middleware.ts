import { defineMiddleware } from 'astro:middleware'

/** Names the scripts of an island in the head. Otherwise the browser requests the pictures above the island first. */
export const onRequest = defineMiddleware(async (_context, next) => {
  const response = await next()
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const html = await response.text()
  const scripts = new Set([...html.matchAll(/(?:component|renderer)-url="([^"]+)"/g)].map(([, url]) => url))
  const links = [...scripts].map(url => `<link rel="modulepreload" href="${url}">`)
  return new Response(html.replace('</head>', `${links.join('')}</head>`), response)
})
