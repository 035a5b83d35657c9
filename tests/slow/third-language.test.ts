import { Parser } from 'htmlparser2'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import type { Renderer } from '#lib/renderer.ts'
import { readConfig, ROOT } from '#server/config.ts'
import { connect } from '#server/platform/db/connect.ts'
import { readSiteContent } from '#server/publishing/public-data.ts'
import { createSiteBuilder } from '#server/publishing/site-code.ts'
import { SITE_URL } from '../support/built-site.ts'
import { prepareDataDir } from '../support/rendered-shop.ts'
import { readSourceTexts } from '../support/source-texts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const COPIED = /^(?:src|server|public|(?:astro|tailwind|tsconfig|package).*\.(?:mjs|json))$/

/** “Add to Cart” becomes “Ａｄｄ ｔｏ Ｃａｒｔ”, so that Latin letters show a text that is not translated. */
const toPseudo = (text: string) =>
  text.replace(/\{\w+\}|[!-z]/g, part =>
    part.length > 1 ? part : String.fromCodePoint((part.codePointAt(0) ?? 0) + 0xfee0)
  )

/** Copies the project and adds a language as docs/tamil.md says: a line and a folder. */
async function copyWithLanguage() {
  const root = await temporaryFolder()
  for (const name of (await readdir(ROOT)).filter(each => COPIED.test(each)))
    await cp(join(ROOT, name), join(root, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const constants = join(root, 'src/lib/constants.ts')
  const code = await readFile(constants, 'utf8')
  const line = "  xx: { locale: 'hi-IN', name: 'Ｘｘ', short: 'Ｘ' },\n"
  await writeFile(constants, code.replace(/(?<=LANGUAGES = \{\n)/, line))
  const texts = (await readSourceTexts()).flatMap(source => source.texts)
  await mkdir(join(root, 'src/texts/xx'))
  await writeFile(
    join(root, 'src/texts/xx/all.json'),
    JSON.stringify(
      Object.fromEntries(texts.map(text => [text, toPseudo(text.split('||')[0] ?? '')]))
    )
  )
  return root
}

const READ_ATTRIBUTES = ['aria-label', 'alt', 'title', 'placeholder']

/** Lists the words that visitors see or hear. Scripts and their data are skipped. */
function listWords(html: string) {
  const read: string[] = []
  const open: boolean[] = []
  const isRead = () => open.every(each => each)
  const parser = new Parser({
    onopentag(name, attributes) {
      const isHidden = attributes['aria-hidden'] === 'true'
      const isOther =
        isHidden || /^(?:script|style)$/.test(name) || /^en/.test(attributes['lang'] ?? '')
      open.push(!isOther)
      if (!isRead()) return
      read.push(...READ_ATTRIBUTES.map(attribute => attributes[attribute] ?? ''))
      if (attributes['name'] === 'description') read.push(attributes['content'] ?? '')
    },
    ontext: text => void (isRead() && read.push(text)),
    onclosetag: () => void open.pop()
  })
  parser.end(html)
  return read.flatMap(text => text.match(/[A-Za-z]{3,}/g) ?? [])
}

async function readContent() {
  const dataDir = await temporaryFolder()
  await prepareDataDir(dataDir)
  const database = connect(readConfig({ DATA_DIR: dataDir }))
  const content = await readSiteContent(database.kysely, Date.now())
  await database.close()
  return { ...content, checkoutUrl: 'https://pay.example/checkout.js' }
}

test(
  'a third language is one folder of texts and one line, and leaves no English text on a page',
  async () => {
    const root = await copyWithLanguage()
    const outDir = join(await temporaryFolder(), 'code')
    await createSiteBuilder(root, process.env).build({
      outDir,
      siteUrl: SITE_URL,
      publicApiBase: '/api',
      hasServiceWorker: true,
      signal: new AbortController().signal
    })
    const load = createRequire(import.meta.url)('../support/native-import.cjs') as (
      url: string
    ) => Promise<{ renderer: Renderer }>
    const { renderer } = await load(pathToFileURL(join(outDir, 'server', 'entry.mjs')).href)
    const content = await readContent()
    renderer.open({ content, readAt: Date.now() })
    const known = JSON.stringify(content)
    const pages = (await renderer.list()).filter(({ address }) => /^\/xx(?:\/|$)/.test(address))
    expect(pages.length).toBeGreaterThan(20)
    const words = new Map<string, string[]>()
    for (const { address } of pages) {
      const html = (await renderer.render(address)).body.toString()
      expect(html).toContain('<html lang="hi-IN"')
      const english = listWords(html).filter(
        word => !known.includes(word) && !/^(?:openstreetmap|org)$/.test(word)
      )
      if (english.length > 0) words.set(address, [...new Set(english)])
    }
    expect(Object.fromEntries(words)).toEqual({})
  },
  10 * MINUTE
)
