import { defineMiddleware } from 'astro:middleware'
import { findClasses, removeUnusedRules } from '#content/used-rules.ts'

const SCRIPT = /<script type="module" src="[^"]+"><\/script>/g
const STYLE = /(?<=<style>)[^<]*(?=<\/style>)/g

/** Removes unused CSS rules. Wraps scripts in templates, so that src/layouts/defer-loading.ts can load them later. */
export const onRequest = defineMiddleware(async ({ locals }, next) => {
  const response = await next()
  if (import.meta.env.DEV || !response.headers.get('content-type')?.startsWith('text/html')) return response
  const page = await response.text()
  // Pages with islands keep all CSS rules, because islands add elements in the browser.
  const pageWithUsedRules = page.includes('<astro-island')
    ? page
    : page.replace(STYLE, sheet => removeUnusedRules(sheet, findClasses(page)))
  const html = locals.deferScripts
    ? pageWithUsedRules.replace(SCRIPT, '<template data-deferred-script>$&</template>')
    : pageWithUsedRules
  return new Response(html, response)
})
