import type { SSRManifest } from 'astro'
import { App } from 'astro/app'
import islandScript from 'astro/runtime/server/astro-island.prebuilt.js'
import { findInlineScripts, type Renderer, type SiteAddress } from '#lib/renderer.ts'
import { digestOf, openSource, trackReads } from './reads.ts'

type Route = SSRManifest['routes'][number]['routeData']
interface PageModule {
  getStaticPaths?: () => Promise<{ params: Record<string, string> }[]>
}

const ASTRO_FILES = import.meta.glob<string>('../**/*.astro', {
  query: '?raw',
  import: 'default',
  eager: true
})

export function createExports(manifest: SSRManifest): { renderer: Renderer } {
  const app = new App(manifest, false)
  const routes = manifest.routes
    .map(({ routeData }) => routeData)
    .filter(({ origin }) => origin !== 'internal')
  const site = manifest.site ?? 'http://localhost'

  async function list(): Promise<SiteAddress[]> {
    const lists = await Promise.all(
      routes.map(async route => {
        const kind: SiteAddress['kind'] = route.type === 'page' ? 'page' : 'file'
        return (await listAddresses(manifest, route)).map(address => ({ address, kind }))
      })
    )
    return lists.flat()
  }

  return {
    renderer: {
      inlineScripts: new Set([
        islandScript,
        ...manifest.clientDirectives.values(),
        ...Object.values(ASTRO_FILES).flatMap(findInlineScripts)
      ]),
      open: openSource,
      list,
      digestOf,
      async render(address) {
        const { value, reads } = await trackReads(async () => {
          const response = await app.render(new Request(new URL(address, site)))
          return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
        })
        return { ...value, reads }
      }
    }
  }
}

async function listAddresses({ pageMap }: SSRManifest, route: Route) {
  if (route.pathname !== undefined) return [route.pathname]
  const module = await (await pageMap?.get(route.component)?.())?.page()
  const { getStaticPaths } = (module ?? {}) as PageModule
  if (!getStaticPaths) throw new Error(`${route.component} does not export getStaticPaths`)
  return (await getStaticPaths()).map(({ params }) => route.generate(params))
}
