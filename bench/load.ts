import { Agent, get, type OutgoingHttpHeaders } from 'node:http'

export interface Load {
  url: string
  count: number
  connections: number
  /** The only status that is not a failure. */
  status: number
  headers: OutgoingHttpHeaders
}

// A separate process, so that the client's CPU time is not counted as the server's.
const { url, count, connections, status, headers } = JSON.parse(process.argv[2] ?? '') as Load
const agent = new Agent({ keepAlive: true, maxSockets: connections })
let left = count

const began = performance.now()
await Promise.all(Array.from({ length: connections }, runWorker))
process.stdout.write(String(performance.now() - began))
agent.destroy()

async function runWorker(): Promise<void> {
  while (left-- > 0) await sendRequest()
}

function sendRequest(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, response => {
      if (response.statusCode !== status) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once('end', resolve).once('error', reject)
    }).once('error', reject)
  })
}
