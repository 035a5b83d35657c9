import { Agent, get } from 'node:http'

// A process of its own, so that what it costs to ask is not counted as what it costs to answer.
const [url = '', count = '0', status = '200', encoding = '', etag = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
const headers = { 'accept-encoding': encoding, ...(etag && { 'if-none-match': etag }) }
let left = Number(count)

const began = performance.now()
await Promise.all(Array.from({ length: 16 }, askInTurn))
process.stdout.write(String(performance.now() - began))
agent.destroy()

async function askInTurn(): Promise<void> {
  while (left-- > 0) await ask()
}

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, response => {
      if (response.statusCode !== Number(status)) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once('end', resolve).once('error', reject)
    }).once('error', reject)
  })
}
