import { text } from 'node:stream/consumers'
import type { SealResult } from './gateways/site-builder.ts'
import { UnfitError } from './release/check.ts'
import { seal, type Sealing } from './release/seal.ts'

// Makes a built folder a release, in a process of its own: reads what to do from stdin and writes the result to stdout.
const { folder, sealing } = JSON.parse(await text(process.stdin)) as { folder: string; sealing: Sealing }
process.stdout.write(JSON.stringify(await result()))

async function result(): Promise<SealResult> {
  try {
    return { pages: await seal(folder, sealing) }
  } catch (error) {
    if (error instanceof UnfitError) return { problems: error.problems }
    throw error
  }
}
