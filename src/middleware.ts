import { defineMiddleware } from 'astro:middleware'
import { classesIn, usedRules } from '#content/used-rules.ts'

const SCRIPT = /<script type="module" src="[^"]+"><\/script>/g
const STYLE = /(?<=<style>)[^<]*(?=<\/style>)/g

/**
 * Of its sheet each page keeps the rules that it uses. On a page that opens with a picture scripts are not asked for
 * before it has opened (src/layouts/opening.ts).
 */
export const onRequest = defineMiddleware(async ({ locals }, next) => {
  const response = await next()
  if (import.meta.env.DEV || !response.headers.get('content-type')?.startsWith('text/html')) return response
  const page = await response.text()
  // Islands write elements that no page has yet.
  const styled = page.includes('<astro-island') ? page : page.replace(STYLE, sheet => usedRules(sheet, classesIn(page)))
  const whole = locals.opensWithPicture ? styled.replace(SCRIPT, '<template data-late>$&</template>') : styled
  return new Response(whole, response)
})
