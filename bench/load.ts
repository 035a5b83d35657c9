import { Agent, get, type OutgoingHttpHeaders } from 'node:http'

export interface Load {
  url: string
  count: number
  connections: number
  expectedStatus: number
  headers: OutgoingHttpHeaders
}

// Runs in its own process, so that the client's CPU time is not counted as the server's.
const { url, count, connections, expectedStatus, headers } = JSON.parse(process.argv[2] ?? '') as Load
const agent = new Agent({ keepAlive: true, maxSockets: connections })
let remaining = count

const startedAt = performance.now()
await Promise.all(Array.from({ length: connections }, runWorker))
process.stdout.write(String(performance.now() - startedAt))
agent.destroy()

async function runWorker(): Promise<void> {
  while (remaining-- > 0) await sendRequest()
}

function sendRequest(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, response => {
      if (response.statusCode !== expectedStatus) reject(new Error(`${url} replied with status ${response.statusCode}`))
      response.resume().once('end', resolve).once('error', reject)
    }).once('error', reject)
  })
}
