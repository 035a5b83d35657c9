import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ShopDetails } from '#lib/contract/content.ts'

const FILE = new URL('../../src/content/shop.json', import.meta.url)

export function readShop(file: URL = FILE): ShopDetails {
  const path = fileURLToPath(file)
  const parsed = ShopDetails.safeParse(parse(readFileSync(file, 'utf8'), path))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(issue => `${issue.path.join('.')} (${issue.message})`).join(', ')
  throw new Error(`${path} is invalid: ${problems}`)
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${path} is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
