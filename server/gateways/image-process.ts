import { pressPicture } from './image-press.ts'
import type { KeptPicture } from './images.ts'

/** What the process is asked, and what it answers by the same id. */
export interface PressOrder {
  id: number
  folder: string
  original: Uint8Array
  name: string
}

export type PressReply = { id: number; kept: KeptPicture } | { id: number; code: string; message: string }

process.on('message', (order: PressOrder) => void obey(order))
process.on('disconnect', () => process.exit())

async function obey({ id, folder, original, name }: PressOrder): Promise<void> {
  try {
    answer({ id, kept: await pressPicture(folder, original, name) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    answer({ id, code, message: error instanceof Error ? error.message : String(error) })
  }
}

function answer(reply: PressReply): void {
  process.send?.(reply)
}
