import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Load } from './load.ts'

/** Asks from a second process; how long that took, in ms. */
export async function runLoad({ connections = 16, status = 200, headers = {}, ...load }: Asked): Promise<number> {
  const all: Load = { ...load, connections, status, headers }
  const args = ['--import', 'tsx', 'bench/load.ts', JSON.stringify(all)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}

type Asked = Pick<Load, 'url' | 'count'> & Partial<Load>
