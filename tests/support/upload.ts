import type { OutgoingHttpHeaders } from 'node:http'

export function makeUpload(
  content: Buffer,
  filename = 'photo.jpg',
  type = 'image/jpeg'
): { payload: Buffer; headers: OutgoingHttpHeaders } {
  const boundary = 'kolam-7d1c0f'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }
  }
}
