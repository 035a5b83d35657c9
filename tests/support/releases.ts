import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type SiteFiles = Record<string, string | Buffer>

/** The only inline script of the fake site's code. */
export const SCRIPT = 'console.log("Vanakkam")'

export const SMALL_SITE: SiteFiles = {
  'index.html': makePage('Home', `<script>${SCRIPT}</script><a href="/products">Products</a>`),
  'products.html': makePage('Products', '<a href="/">Home</a>'),
  '404.html': makePage('Oops! Page not found', '<script src="/_astro/shop.1a2b.js"></script>'),
  '_astro/shop.1a2b.js': `/* ${'spices '.repeat(50)} */ ${SCRIPT}`
}

export function makePage(title: string, body = ''): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`
}

export async function writeSite(folder: string, files: SiteFiles): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}
