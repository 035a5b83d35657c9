import { describe, expect, test } from 'vitest'
import {
  browserCode,
  contractValues,
  importedPackages,
  namedFiles,
  rootSources,
  sources,
  type Source
} from './support/sources.ts'

const MAY_NAME: Record<string, readonly string[]> = {
  'src/pages': ['layouts', 'components', 'elements', 'islands', 'content', 'prose', 'styles', 'lib'],
  'src/layouts': ['layouts', 'components', 'elements', 'islands', 'styles', 'lib'],
  'src/components': ['components', 'elements', 'islands', 'styles', 'lib'],
  'src/elements': ['elements', 'lib'],
  'src/islands': ['islands', 'lib'],
  'src/content': ['content', 'prose', 'lib'],
  'src/lib': ['lib']
}

/** What starts from a command line, and so may speak on stdout and read the environment. */
const COMMANDS = [
  ...['server/main.ts', 'server/dev.ts', 'server/publish.ts', 'server/sandbox/main.ts'],
  ...['server/backup.ts', 'server/restore.ts']
]
const READS_ENVIRONMENT = ['server/config.ts', ...COMMANDS]
const LOG = 'src/lib/log.ts'
/** The schemas of these forms are in the browser on purpose. */
const FORMS: readonly string[] = []
/** Each escapes or sanitises what it is given. */
const HTML_WRAPPERS = [
  'src/components/JsonLd.astro',
  'src/components/Prose.astro',
  'src/islands/admin/blog/Prose.tsx',
  'src/layouts/DeferLoading.astro'
]

const src = sources('src')
const server = sources('server')
const everything = [...src, ...server, ...sources('tests', 'bench'), ...rootSources()]

describe('imports go one way', () => {
  test.for(Object.entries(MAY_NAME))('%s names only %s', ([folder, layers]) => {
    const allowed = layers.map(layer => `src/${layer}/`)
    expect(offences(under(folder), source => namedFiles(source).filter(file => !startsWithOne(file, allowed)))).toEqual(
      []
    )
  })

  test('the server takes from src only what both sides agree on, never the stores; of content the owner’s details and what makes pages of Markdown', () => {
    const allowed = ['server/', 'src/lib/', 'src/content/shop.json', 'src/content/render-markdown.ts']
    const foreign = (file: string): boolean => !startsWithOne(file, allowed) || file.startsWith('src/lib/stores/')
    expect(offences(server, source => namedFiles(source).filter(foreign))).toEqual([])
  })
})

describe('what browser and server agree on', () => {
  const shared = under('src/lib').filter(({ path }) => !path.startsWith('src/lib/stores/'))

  test('src/lib imports nothing of Node', () => {
    const own = (name: string): boolean => /^(zod\/mini|nanostores|@nanostores\/persistent)$/.test(name)
    expect(offences(under('src/lib'), source => importedPackages(source).filter(name => !own(name)))).toEqual([])
  })

  test('src/lib touches no document outside the stores', () => {
    const dom = /\b(document|window|localStorage|sessionStorage|navigator|HTMLElement)\b\s*[.[]/g
    expect(offences(shared, ({ code }) => code.match(dom) ?? [])).toEqual([])
  })

  test('the browser gets the types of the contract, never its schemas', () => {
    const sent = src
      .filter(({ path }) => !/^src\/(content|lib\/contract)\//.test(path) && !FORMS.includes(path))
      .map(browserCode)
    expect(offences(sent, contractValues)).toEqual([])
    expect(offences(sent, source => importedPackages(source).filter(name => /^zod\b/.test(name)))).toEqual([])
  })
})

describe('each thing has one place', () => {
  test('the environment is read once, in config', () => {
    const free = [...src, ...server].filter(
      ({ path }) => !READS_ENVIRONMENT.includes(path) && !path.startsWith('src/content/')
    )
    expect(offences(free, ({ code }) => code.match(/process\.env/g) ?? [])).toEqual([])
  })

  test('only commands write to the console, and of the pages the one log', () => {
    const quiet = [...src, ...server].filter(({ path }) => ![...COMMANDS, LOG].includes(path))
    expect(offences(quiet, ({ code }) => code.match(/console\.\w+/g) ?? [])).toEqual([])
  })

  test('unescaped HTML enters a page in one place', () => {
    const others = src.filter(({ path }) => !HTML_WRAPPERS.includes(path))
    expect(
      offences(others, ({ code }) => code.match(/set:html|dangerouslySetInnerHTML|\.innerHTML\s*=/g) ?? [])
    ).toEqual([])
  })

  // A page keeps no rule of its sheet for a class that it does not name itself.
  test('elements give no element a class that the page has not written', () => {
    const elements = src.filter(({ path }) => path.startsWith('src/elements/'))
    expect(offences(elements, ({ code }) => code.match(/classList|\.className(?! = 'menu-link')/g) ?? [])).toEqual([])
  })

  test('no type is any', () => {
    expect(offences(everything, ({ code }) => code.match(/(:|\bas|<|=>)\s*any\b(?!')/g) ?? [])).toEqual([])
  })
})

test('no file is longer than 250 lines', () => {
  const long = everything.filter(({ text }) => text.trimEnd().split('\n').length > 250)
  expect(long.map(({ path }) => path)).toEqual([])
})

describe('the rules above see', () => {
  const file = (code: string, path = 'src/islands/cart/Cart.tsx'): Source => ({ path, text: code, code })

  test.for([
    [`import '#server/app.ts'`, 'server/app.ts'],
    [`await import('../../content/shop.ts')`, 'src/content/shop.ts'],
    [`export * from "../../../server/app.ts"`, 'server/app.ts'],
    [`new URL('../../pages/index.astro', import.meta.url)`, 'src/pages/index.astro']
  ])('the file named by %s', ([code = '', named]) => {
    expect(namedFiles(file(code))).toEqual([named])
  })

  test.for([
    [`import { Product } from '#lib/contract/catalog.ts'`, 1],
    [`import { type Product, LiveProduct } from '#lib/contract/catalog.ts'`, 1],
    [`import * as contract from '#lib/contract/index.ts'`, 1],
    [`import type { Product } from '#lib/contract/catalog.ts'`, 0],
    [`import { type Product } from '#lib/contract/catalog.ts'`, 0]
  ] as const)('the schemas in %s', ([code, count]) => {
    expect(contractValues(file(code))).toHaveLength(count)
  })

  test.for([
    `import 'node:fs'`,
    `import fs from "node:fs"`,
    `import {\n  readFile\n} from 'node:fs'`,
    `import('node:fs')`
  ])('the package in %s', code => expect(importedPackages(file(code))).toEqual(['node:fs']))
})

function under(folder: string): Source[] {
  return src.filter(({ path }) => path.startsWith(`${folder}/`))
}

function startsWithOne(file: string, folders: readonly string[]): boolean {
  return folders.some(folder => file.startsWith(folder))
}

function offences(files: readonly Source[], find: (source: Source) => readonly string[]): string[] {
  return files.flatMap(source => find(source).map(found => `${source.path}: ${found}`))
}
