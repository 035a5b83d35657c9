import { defineMiddleware } from 'astro:middleware'

const SCRIPT = /<script type="module" src="[^"]+"><\/script>/g

/** Wraps scripts in templates, so that src/layouts/defer-loading.ts can load them later. */
export const onRequest = defineMiddleware(async ({ locals }, next) => {
  const response = await next()
  if (import.meta.env.DEV || !locals.deferScripts || !response.headers.get('content-type')?.startsWith('text/html'))
    return response
  const page = await response.text()
  return new Response(page.replace(SCRIPT, '<template data-deferred-script>$&</template>'), response)
})
