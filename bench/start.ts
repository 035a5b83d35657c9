import { setTimeout as wait } from 'node:timers/promises'
import { startShop } from '../tests/support/server.ts'
import { readTreeMemory } from './processes.ts'
import type { Bench } from './table.ts'

const IDLE_MS = 10_000

export const start: Bench = async dataDir => {
  const cold = await startAndIdle(dataDir)
  const warm = await startAndIdle(dataDir)
  return {
    title: 'Start',
    header: ['', 'first start', 'later start', 'target (max)'],
    rows: [
      [
        'until the home page is served, s',
        seconds(cold.startedIn),
        seconds(warm.startedIn),
        '60 / 3'
      ],
      ['resident memory 10 s later, MB', cold.resident.toFixed(0), warm.resident.toFixed(0), '150']
    ],
    note: 'The first start encodes the pictures, seeds the catalogue and publishes. Memory includes child processes.'
  }
}

async function startAndIdle(dataDir: string): Promise<{ startedIn: number; resident: number }> {
  const shop = await startShop({ dataDir })
  await wait(IDLE_MS)
  const resident = readTreeMemory(shop.pid)
  await shop.stop()
  return { startedIn: shop.startupMs, resident }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
