import { Agent, request } from 'undici'

export interface Load {
  url: string
  count: number
  connections: number
  expectedStatus: number
  headers: Record<string, string>
}

// Runs in its own process, so that the client's CPU time is not counted as the server's.
const { url, count, connections, expectedStatus, headers } = JSON.parse(
  process.argv[2] ?? ''
) as Load
const dispatcher = new Agent({ connections })
let remaining = count

const startedAt = performance.now()
await Promise.all(Array.from({ length: connections }, runWorker))
process.stdout.write(String(performance.now() - startedAt))
await dispatcher.close()

async function runWorker(): Promise<void> {
  while (remaining-- > 0) {
    const { statusCode, body } = await request(url, { dispatcher, headers })
    if (statusCode !== expectedStatus) throw new Error(`${url} replied with status ${statusCode}`)
    await body.arrayBuffer()
  }
}
