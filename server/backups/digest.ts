import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export interface FileDigest {
  name: string
  size: number
  sha256: string
}

export async function digestFile(folder: string, name: string): Promise<FileDigest> {
  const hash = createHash('sha256')
  let size = 0
  await pipeline(createReadStream(join(folder, name)), async function (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.length
    }
  })
  return { name, size, sha256: hash.digest('hex') }
}
