import { defineMiddleware } from 'astro:middleware'

/**
 * Names the scripts of the islands in the head of a page with a `client:load` island. Otherwise the
 * browser requests the pictures above the island first, as is right for `client:idle`.
 */
export const onRequest = defineMiddleware(async (_context, next) => {
  const response = await next()
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const body = Buffer.from(await response.arrayBuffer())
  if (!body.includes('client="load"')) return new Response(body, response)
  // As latin1, because all bytes stay the same and decoding takes a tenth of the time.
  const html = body.toString('latin1')
  const scripts = new Set(
    [...html.matchAll(/(?:component|renderer)-url="([^"]+)"/g)].map(([, url]) => url)
  )
  const links = [...scripts].map(url => `<link rel="modulepreload" href="${url}">`)
  return new Response(
    Buffer.from(html.replace('</head>', `${links.join('')}</head>`), 'latin1'),
    response
  )
})
