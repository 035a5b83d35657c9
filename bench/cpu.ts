import { paths } from '#lib/paths.ts'
import { startShop } from '../tests/support/server.ts'
import { firstOf } from './first.ts'
import { cpuOf } from './processes.ts'
import { runLoad } from './run-load.ts'
import type { Bench } from './table.ts'

const REQUESTS = 20_000
const WARM_UP = 3000
/** Of the load too: another encoding has another ETag. */
const ACCEPT_ENCODING = 'br, gzip'

interface Ask {
  name: string
  url: string
  bound: string
  status?: number
  etag?: string
}

/** Processor time of the shop per request: the figure to compare on machines whose clocks are shared. */
export const cpu: Bench = async dataDir => {
  const shop = await startShop({ dataDir })
  try {
    const rows: (string | number)[][] = []
    for (const ask of await asks(shop.url)) {
      await load(ask, WARM_UP)
      const before = cpuOf(shop.pid)
      const took = await load(ask, REQUESTS)
      const each = (cpuOf(shop.pid) - before) / REQUESTS
      rows.push([ask.name, each.toFixed(3), ask.bound, Math.round(REQUESTS / (took / 1000))])
    }
    return {
      title: `Processor time per request, ${REQUESTS.toLocaleString('en')} requests over 16 connections`,
      head: ['request', 'CPU ms', 'at most', 'requests/s'],
      rows
    }
  } finally {
    await shop.stop()
  }
}

async function asks(url: string): Promise<Ask[]> {
  const { id, image } = await firstOf(url)
  const list = `${url}/api/products`
  const etag = (await fetch(list, { headers: { 'accept-encoding': ACCEPT_ENCODING } })).headers.get('etag')
  if (!etag) throw new Error('GET /products has no ETag')
  const script = /(?:href|src)="(\/_astro\/[^"]+)"/.exec(await (await fetch(url)).text())?.[1]
  return [
    { name: 'GET /products/{id}', url: `${list}/${id}`, bound: '0.13' },
    { name: 'GET /products, If-None-Match', url: list, bound: '0.13', status: 304, etag },
    { name: 'home page', url: `${url}${paths.home}`, bound: '' },
    ...(script ? [{ name: 'a hashed file of the site', url: `${url}${script}`, bound: '' }] : []),
    { name: 'a picture', url: `${url}/assets/${image}`, bound: '' }
  ]
}

function load({ url, status = 200, etag }: Ask, count: number): Promise<number> {
  const headers = { 'accept-encoding': ACCEPT_ENCODING, ...(etag && { 'if-none-match': etag }) }
  return runLoad({ url, count, status, headers })
}
