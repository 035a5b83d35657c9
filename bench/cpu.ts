import { paths } from '#lib/paths.ts'
import { findSampleContent, readCpuTime, runLoad } from './processes.ts'
import { benchShop } from './table.ts'

const REQUESTS = 20_000
const WARM_UP = 3000
const LIMITED = { warmUp: 100, requests: 1000 }
/**
 * The request that reads an ETag and the request that sends it back must accept the same encodings.
 */
const ACCEPT_ENCODING = 'br, gzip'

interface RequestCase {
  name: string
  url: string
  target: string
  status?: number
  etag?: string
  /** Fewer requests, because the call is limited per minute. */
  isLimited?: boolean
}

/**
 * Measures CPU time per request. Unlike requests/s, it is comparable between runs on a shared
 * machine.
 */
export const cpu = benchShop(async shop => {
  const rows: (string | number)[][] = []
  for (const requestCase of await requestCases(shop.url)) {
    const { warmUp, requests } = requestCase.isLimited
      ? LIMITED
      : { warmUp: WARM_UP, requests: REQUESTS }
    await runCase(requestCase, warmUp)
    const cpuBefore = readCpuTime(shop.pid)
    const elapsed = await runCase(requestCase, requests)
    const msPerRequest = (readCpuTime(shop.pid) - cpuBefore) / requests
    rows.push([
      requestCase.name,
      msPerRequest.toFixed(3),
      requestCase.target,
      Math.round(requests / (elapsed / 1000))
    ])
  }
  return {
    title: `CPU time per request, ${REQUESTS.toLocaleString('en')} requests over 16 connections`,
    header: ['request', 'CPU ms', 'target (max)', 'requests/s'],
    rows
  }
})

async function requestCases(url: string): Promise<RequestCase[]> {
  const { id, image } = await findSampleContent(url)
  const list = `${url}/api/products`
  const etag = (await fetch(list, { headers: { 'accept-encoding': ACCEPT_ENCODING } })).headers.get(
    'etag'
  )
  if (!etag) throw new Error('GET /products has no ETag')
  const script = /(?:href|src)="(\/_astro\/[^"]+)"/.exec(await (await fetch(url)).text())?.[1]
  return [
    { name: 'GET /products/{id}', url: `${list}/${id}`, target: '0.13' },
    { name: 'GET /products, If-None-Match', url: list, target: '0.13', status: 304, etag },
    {
      name: 'GET /delivery',
      url: `${url}/api/delivery?pincode=620018&items=${id}:2`,
      target: '1',
      isLimited: true
    },
    { name: 'home page', url: `${url}${paths.home}`, target: '' },
    ...(script ? [{ name: 'a hashed static file', url: `${url}${script}`, target: '' }] : []),
    { name: 'a picture', url: `${url}/assets/${image}`, target: '' }
  ]
}

function runCase({ url, status = 200, etag }: RequestCase, count: number): Promise<number> {
  const headers = { 'accept-encoding': ACCEPT_ENCODING, ...(etag && { 'if-none-match': etag }) }
  return runLoad({ url, count, expectedStatus: status, headers })
}
