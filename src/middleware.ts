import { defineMiddleware } from 'astro:middleware'
import { classesIn, usedRules } from '#content/used-rules.ts'

const SCRIPT = /<script type="module" src="[^"]+"><\/script>/g
const STYLE = /(?<=<style>)[^<]*(?=<\/style>)/g

/** Removes unused CSS rules from each page, and defers scripts for src/layouts/defer-loading.ts. */
export const onRequest = defineMiddleware(async ({ locals }, next) => {
  const response = await next()
  if (import.meta.env.DEV || !response.headers.get('content-type')?.startsWith('text/html')) return response
  const page = await response.text()
  // Islands add elements at run time.
  const styled = page.includes('<astro-island') ? page : page.replace(STYLE, sheet => usedRules(sheet, classesIn(page)))
  const html = locals.deferScripts ? styled.replace(SCRIPT, '<template data-deferred-script>$&</template>') : styled
  return new Response(html, response)
})
