import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import { api, type Send } from '../../api.ts'
import { MAX_PICTURE_BYTES } from '../../constants.ts'
import { t, text } from '../../contract/texts.ts'
import type { Picture } from '../../contract/values.ts'
import { ShopError } from '../../errors.ts'

/** Pages never show a larger picture. */
const MAX_SIDE_PX = 2000
const SHRINK_ABOVE_BYTES = 700_000
const HEIC = text(
  'Your phone saved this photo as HEIC, which websites can’t show. Choose JPEG or “Most ' +
    'compatible” in the settings of the camera, and take it again.'
)

export async function uploadPicture(
  file: File,
  name: string,
  onProgress: (text: string) => void
): Promise<Picture> {
  onProgress(t('Reading the picture…'))
  // By the brands at its beginning (ISO 14496-12), because a renamed file is still HEIC.
  const head = await file.slice(4, 64).text()
  const isHeic = /^ftyp.*(?:hei|hev|mif1|msf1)/s.test(head) && !/avi[fs]/.test(head)
  const content = file.size > SHRINK_ABOVE_BYTES || isHeic ? await shrink(file, isHeic) : file
  if (isHeic && content === file) throw new ShopError('UNSUPPORTED_PICTURE', { message: t(HEIC) })
  if (content.size > MAX_PICTURE_BYTES) {
    throw new ShopError('BODY_TOO_LARGE', { message: ADMIN_MESSAGES.pictureTooLarge })
  }
  const body = new FormData()
  body.append('file', content, 'picture')
  const transport = { send: sendWithProgress(onProgress) }
  return api('POST /admin/pictures', { query: { name }, body }, transport)
}

/** Returns the file if the browser can't read its format: the server may. */
async function shrink(file: File, isAnySize: boolean): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file)
    const scale = Math.min(1, MAX_SIDE_PX / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(bitmap.width * scale)
    canvas.height = Math.round(bitmap.height * scale)
    const context = canvas.getContext('2d')
    if (!context) return file
    // Transparent areas become white, as on the product pages.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    bitmap.close()
    const small = await new Promise<Blob | null>(resolve =>
      canvas.toBlob(resolve, 'image/jpeg', 0.88)
    )
    return small && (isAnySize || small.size < file.size) ? small : file
  } catch {
    return file
  }
}

// `fetch` reports no upload progress.
function sendWithProgress(onProgress: (text: string) => void): Send {
  return (url, { method = 'POST', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      for (const [header, value] of new Headers(headers)) request.setRequestHeader(header, value)
      request.upload.onprogress = ({ loaded, total }) => {
        const percent = Math.floor((loaded / total) * 100)
        onProgress(
          percent < 100 ? t('Uploading… {percent}%', { percent }) : t('Preparing the picture…')
        )
      }
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = () => reject(new TypeError('Upload failed'))
      request.onabort = request.onerror
      signal?.addEventListener('abort', () => request.abort())
      request.send(body as FormData)
    })
}
