import type { SSRManifest } from 'astro'
import { App } from 'astro/app'
import type { Listed, Renderer } from '#lib/renderer.ts'
import { digestOf, forget, notingReads } from './reads.ts'

type Route = SSRManifest['routes'][number]['routeData']
/** What a page with a parameter in its address exports. */
interface Many {
  getStaticPaths?: () => Promise<{ params: Record<string, string> }[]>
}

/** What the built app exports, as Astro asks of an adapter. */
export function createExports(manifest: SSRManifest): { renderer: Renderer } {
  const app = new App(manifest, false)
  const routes = manifest.routes.map(({ routeData }) => routeData).filter(({ origin }) => origin === 'project')
  const site = manifest.site ?? 'http://localhost'

  async function list(): Promise<Listed[]> {
    const lists = await Promise.all(
      routes.map(async route => {
        const kind: Listed['kind'] = route.type === 'page' ? 'page' : 'file'
        return (await addressesOf(manifest, route)).map(address => ({ address, kind }))
      })
    )
    return lists.flat()
  }

  return {
    renderer: {
      forget,
      list,
      digestOf,
      async render(address) {
        const { value, reads } = await notingReads(async () => {
          const response = await app.render(new Request(new URL(address, site)))
          return { status: response.status, body: await response.text() }
        })
        return { ...value, reads }
      }
    }
  }
}

/** As `astro build` finds them: a page with a parameter says itself for which values it is there. */
async function addressesOf({ pageMap }: SSRManifest, route: Route): Promise<string[]> {
  if (route.pathname !== undefined) return [route.pathname]
  const module = await (await pageMap?.get(route.component)?.())?.page()
  const { getStaticPaths } = (module ?? {}) as Many
  if (!getStaticPaths) throw new Error(`${route.component} does not list its pages`)
  return (await getStaticPaths()).map(({ params }) => route.generate(params))
}
