import { Agent, get, type OutgoingHttpHeaders } from 'node:http'

/** What `load` asks for. */
export interface Load {
  url: string
  count: number
  /** How many ask at once. */
  connections: number
  /** Any other status than this is a failure. */
  status: number
  headers: OutgoingHttpHeaders
}

// A process of its own, so that what it costs to ask is not counted as what it costs to answer.
const { url, count, connections, status, headers } = JSON.parse(process.argv[2] ?? '') as Load
const agent = new Agent({ keepAlive: true, maxSockets: connections })
let left = count

const began = performance.now()
await Promise.all(Array.from({ length: connections }, askInTurn))
process.stdout.write(String(performance.now() - began))
agent.destroy()

async function askInTurn(): Promise<void> {
  while (left-- > 0) await ask()
}

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, response => {
      if (response.statusCode !== status) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once('end', resolve).once('error', reject)
    }).once('error', reject)
  })
}
