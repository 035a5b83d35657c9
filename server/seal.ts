import { text } from 'node:stream/consumers'
import type { SealResult } from './gateways/site-builder.ts'
import { oneLine } from './progress.ts'
import { UnfitError } from './release/check.ts'
import { seal, type Sealing } from './release/seal.ts'

// Makes a built folder a release, in a process of its own: reads what to do from stdin and writes the result to stdout.
try {
  const { folder, sealing } = JSON.parse(await text(process.stdin)) as { folder: string; sealing: Sealing }
  answer({ pages: await seal(folder, sealing) })
} catch (error) {
  if (error instanceof UnfitError) answer({ problems: error.problems, count: error.count })
  else {
    process.stderr.write(`${oneLine(error)}\n`)
    process.exitCode = 1
  }
}

function answer(result: SealResult): void {
  process.stdout.write(JSON.stringify(result))
}
