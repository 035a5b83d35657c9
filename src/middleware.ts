import { defineMiddleware } from 'astro:middleware'
import { inLanguage, languageOf } from '#content/language.ts'
import { LANGUAGE_CODES } from '#lib/constants.ts'
import { localPath, NOT_FOUND_PATH, SWITCH_PATH, toEnglishPath } from '#lib/paths.ts'

/** Renders a page in the language of its address, with the scripts of this language. */
export const onRequest = defineMiddleware(({ url }, next) => {
  const language = languageOf(url.pathname)
  return inLanguage(language, async () => {
    const response = await next()
    if (!response.headers.get('content-type')?.startsWith('text/html')) return response
    // As latin1, because all bytes stay the same and decoding takes a tenth of the time.
    const html = Buffer.from(await response.arrayBuffer()).toString('latin1')
    const scripts = import.meta.env.SCRIPT_FOLDERS[language] ?? '_astro/'
    const local = fillSwitches(html, url.pathname).replace(
      /\/_astro\/(?=[\w.@-]+\.js\b)/g,
      `/${scripts}`
    )
    return new Response(Buffer.from(nameIslandScripts(local), 'latin1'), response)
  })
})

/** The header is rendered once for many pages, so its links to other languages have no path yet. */
function fillSwitches(html: string, pathname: string) {
  const path = toEnglishPath(pathname.replace(/\.html$/, ''))
  const target = path === NOT_FOUND_PATH ? '/' : path
  return LANGUAGE_CODES.reduce(
    (filled, code) =>
      filled.replaceAll(`href="${SWITCH_PATH}${code}"`, `href="${localPath(target, code)}"`),
    html
  )
}

/**
 * Names the scripts of the islands in the head of a page with a `client:load` island. Otherwise the
 * browser requests the pictures above the island first, as is right for `client:idle`.
 */
function nameIslandScripts(html: string) {
  if (!html.includes('client="load"')) return html
  const scripts = new Set(
    [...html.matchAll(/(?:component|renderer)-url="([^"]+)"/g)].map(([, url]) => url)
  )
  const links = [...scripts].map(url => `<link rel="modulepreload" href="${url}">`)
  return html.replace('</head>', `${links.join('')}</head>`)
}
