import { MAX_PICTURE_BYTES } from '../../admin/limits.ts'
import { ADMIN_MESSAGES, pictureUploading } from '../../admin/messages.ts'
import { api, type Send } from '../../api.ts'
import type { Picture } from '../../contract/values.ts'
import { ShopError } from '../../shop-error.ts'
import { UPLOAD_TIMEOUT } from '../../time.ts'

/** Pages show no wider picture; a phone's photograph has twice as many pixels, and ten times the bytes. */
const MAX_SIDE_PX = 2000
/** Smaller files travel as they are. */
const SHRINK_ABOVE_BYTES = 700_000

/**
 * Sends a picture to the shop, made smaller on the way; `tell` says in words how far it is. `name` becomes part of its
 * address. Throws ShopError.
 */
export async function uploadPicture(file: File, name: string, tell: (words: string) => void): Promise<Picture> {
  tell(ADMIN_MESSAGES.pictureReading)
  const content = file.size > SHRINK_ABOVE_BYTES ? await shrink(file) : file
  if (content.size > MAX_PICTURE_BYTES) {
    throw new ShopError('BODY_TOO_LARGE', { status: 413, message: ADMIN_MESSAGES.pictureTooLarge })
  }
  const body = new FormData()
  body.append('file', content, 'picture')
  const way = { send: sendWithProgress(tell), patience: UPLOAD_TIMEOUT }
  return api('POST /admin/pictures', { query: { name }, body }, way)
}

/** What this browser can't read goes as it is: the shop may know better, or will say why not. */
async function shrink(file: File): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file)
    const scale = Math.min(1, MAX_SIDE_PX / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(bitmap.width * scale)
    canvas.height = Math.round(bitmap.height * scale)
    const paper = canvas.getContext('2d')
    if (!paper) return file
    // What shines through is white, as on the shop's pages.
    paper.fillStyle = '#fff'
    paper.fillRect(0, 0, canvas.width, canvas.height)
    paper.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    bitmap.close()
    const small = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.88))
    return small && small.size < file.size ? small : file
  } catch {
    return file
  }
}

// Only this old way of asking tells how much has been sent.
function sendWithProgress(tell: (words: string) => void): Send {
  return (url, { method = 'POST', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      for (const [header, value] of new Headers(headers)) request.setRequestHeader(header, value)
      request.upload.onprogress = ({ loaded, total }) => {
        const percent = Math.floor((loaded / total) * 100)
        tell(percent < 100 ? pictureUploading(percent) : ADMIN_MESSAGES.picturePreparing)
      }
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = () => reject(new TypeError('The picture could not be sent'))
      request.onabort = request.onerror
      signal?.addEventListener('abort', () => request.abort())
      request.send(body as FormData)
    })
}
