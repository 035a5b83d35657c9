import { setTimeout as wait } from 'node:timers/promises'
import { startShop } from '../tests/support/server.ts'
import { residentOf } from './processes.ts'
import type { Bench } from './table.ts'

const IDLE = 10_000

/** How long from `npm start` to a served home page, and what the shop then weighs. */
export const start: Bench = async dataDir => {
  const cold = await startAndIdle(dataDir)
  const warm = await startAndIdle(dataDir)
  return {
    title: 'Start',
    head: ['', 'first start', 'later start', 'at most'],
    rows: [
      ['to a served home page, s', seconds(cold.startedIn), seconds(warm.startedIn), '60 / 3'],
      ['resident 10 s later, MB', cold.resident.toFixed(0), warm.resident.toFixed(0), '150']
    ],
    note: 'The first start makes all pictures, seeds the catalogue and publishes. Memory: the server and its child processes.'
  }
}

async function startAndIdle(dataDir: string): Promise<{ startedIn: number; resident: number }> {
  const shop = await startShop({ dataDir })
  await wait(IDLE)
  const resident = residentOf(shop.pid)
  await shop.stop()
  return { startedIn: shop.startedIn, resident }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
