import { encodePicture } from './encode-picture.ts'
import type { StoredPicture } from './images.ts'

export interface EncodeRequest {
  id: number
  folder: string
  original: Uint8Array
  name: string
}

export type EncodeReply = { id: number; picture: StoredPicture } | { id: number; code: string; message: string }

process.on('message', (request: EncodeRequest) => void handle(request))
process.on('disconnect', () => process.exit())

async function handle({ id, folder, original, name }: EncodeRequest): Promise<void> {
  try {
    send({ id, picture: await encodePicture(folder, original, name) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    send({ id, code, message: error instanceof Error ? error.message : String(error) })
  }
}

function send(reply: EncodeReply): void {
  process.send?.(reply)
}
