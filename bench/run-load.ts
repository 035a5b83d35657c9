import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Load } from './load.ts'

export async function runLoad({
  connections = 16,
  expectedStatus = 200,
  headers = {},
  ...load
}: LoadOptions): Promise<number> {
  const job: Load = { ...load, connections, expectedStatus, headers }
  const args = ['--import', 'tsx', 'bench/load.ts', JSON.stringify(job)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}

type LoadOptions = Pick<Load, 'url' | 'count'> & Partial<Load>
