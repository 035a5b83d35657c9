import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  browserCode,
  contractValues,
  importedPackages,
  listRootSources,
  listSources,
  referencedFiles,
  type Source
} from './support/sources.ts'

const ALLOWED_IMPORTS: Record<string, readonly string[]> = {
  'src/pages': ['layouts', 'components', 'elements', 'islands', 'content', 'styles', 'lib'],
  'src/layouts': ['layouts', 'components', 'elements', 'islands', 'content', 'styles', 'lib'],
  'src/components': ['components', 'elements', 'islands', 'styles', 'lib'],
  'src/elements': ['elements', 'lib'],
  'src/islands': ['islands', 'lib'],
  'src/content': ['content', 'lib'],
  'src/lib': ['lib']
}

const COMMANDS = ['server/main.ts', 'server/commands/', 'sandbox/main.ts']
const READS_ENVIRONMENT = ['server/config.ts', ...COMMANDS]
const LOG_MODULES = ['src/lib/browser.ts', 'server/platform/process/logging.ts']

/** Files that may insert HTML, because they escape or sanitise it. */
const HTML_WRAPPERS = [
  'src/components/Once.astro',
  'src/components/JsonLd.astro',
  'src/components/Prose.astro',
  'src/islands/admin/ui/MarkdownField.tsx'
]

const src = listSources('src')
const server = listSources('server')
const sandbox = listSources('sandbox')
const allSources = [
  ...src,
  ...server,
  ...sandbox,
  ...listSources('tests', 'bench'),
  ...listRootSources()
]

describe('Architecture: import direction', () => {
  test.for(Object.entries(ALLOWED_IMPORTS))('%s imports only from %s', ([folder, layers]) => {
    const allowed = layers.map(layer => `src/${layer}/`)
    expect(
      findViolations(under(folder), source =>
        referencedFiles(source).filter(file => !startsWithOne(file, allowed))
      )
    ).toEqual([])
  })

  test('server code imports only lib (without stores) and render-markdown.ts from src', () => {
    const allowed = ['server/', 'sandbox/', 'src/lib/', 'src/content/render-markdown.ts']
    const isForbidden = (file: string): boolean =>
      !startsWithOne(file, allowed) || file.startsWith('src/lib/stores/')
    expect(findViolations(server, source => referencedFiles(source).filter(isForbidden))).toEqual(
      []
    )
  })

  test('tests import nothing of bench, and bench only the start helper of the tests', () => {
    const helper = 'tests/support/server.ts'
    const ofBench = findViolations(listSources('bench'), source =>
      referencedFiles(source).filter(file => file.startsWith('tests/') && file !== helper)
    )
    const ofTests = findViolations(listSources('tests'), source =>
      referencedFiles(source).filter(file => file.startsWith('bench/'))
    )
    expect([...ofBench, ...ofTests]).toEqual([])
  })

  test('the sandbox imports nothing of the shop but how it keeps a secret', () => {
    const allowed = ['sandbox/', 'server/platform/process/secret.ts']
    const isForbidden = (file: string): boolean => !startsWithOne(file, allowed)
    expect(findViolations(sandbox, source => referencedFiles(source).filter(isForbidden))).toEqual(
      []
    )
  })
})

describe('Architecture: shared code', () => {
  const shared = under('src/lib').filter(
    ({ path }) => !/^src\/lib\/(stores\/|browser\.ts$)/.test(path)
  )

  test('src/lib imports no Node modules', () => {
    const isAllowed = (name: string): boolean =>
      /^(zod\/mini|nanostores|@nanostores\/persistent)$/.test(name)
    expect(
      findViolations(under('src/lib'), source =>
        importedPackages(source).filter(name => !isAllowed(name))
      )
    ).toEqual([])
  })

  test('src/lib uses the DOM only in stores and browser.ts', () => {
    const dom =
      /\b(document|window|localStorage|sessionStorage|navigator|HTMLElement)\b\s*(\??\.\w|\[)/g
    expect(findViolations(shared, ({ code }) => code.match(dom) ?? [])).toEqual([])
  })

  test('the contract imports only itself, money, time and constants', () => {
    const isGround = (file: string): boolean =>
      /^src\/lib\/(contract\/.*|money\.ts|time\.ts|constants\.ts)$/.test(file)
    expect(
      findViolations(under('src/lib/contract'), source =>
        referencedFiles(source).filter(file => !isGround(file))
      )
    ).toEqual([])
  })

  test('browser code never imports zod, and of the schemas only their types', () => {
    const schemas = under('src/lib/contract').filter(source => importedPackages(source).length > 0)
    const isSchema = (path: string): boolean => schemas.some(schema => schema.path === path)
    const browserSources = src
      .filter(({ path }) => !path.startsWith('src/content/') && !isSchema(path))
      .map(browserCode)
    expect(
      findViolations(browserSources, source => contractValues(source).filter(isSchema))
    ).toEqual([])
    expect(
      findViolations(browserSources, source =>
        importedPackages(source).filter(name => /^zod\b/.test(name))
      )
    ).toEqual([])
  })
})

describe('Architecture: restricted features', () => {
  test('only config and commands read process.env', () => {
    const others = [...src, ...server, ...sandbox].filter(
      ({ path }) => !startsWithOne(path, [...READS_ENVIRONMENT, 'src/content/'])
    )
    expect(findViolations(others, ({ code }) => code.match(/process\.env/g) ?? [])).toEqual([])
  })

  test('only commands and the log modules write to the console', () => {
    const others = [...src, ...server, ...sandbox].filter(
      ({ path }) => !startsWithOne(path, [...COMMANDS, ...LOG_MODULES])
    )
    expect(findViolations(others, ({ code }) => code.match(/console\.\w+/g) ?? [])).toEqual([])
  })

  test('only the HTML wrappers insert unescaped HTML', () => {
    const others = src.filter(({ path }) => !HTML_WRAPPERS.includes(path))
    expect(
      findViolations(
        others,
        ({ code }) => code.match(/set:html|dangerouslySetInnerHTML|\.innerHTML\s*=/g) ?? []
      )
    ).toEqual([])
  })

  test('no source file uses the type any', () => {
    expect(
      findViolations(allSources, ({ code }) => code.match(/(:|\bas|<|=>)\s*any\b(?!')/g) ?? [])
    ).toEqual([])
  })
})

describe('Architecture: server features', () => {
  const imports = server.flatMap(source =>
    referencedFiles(source).map(target => ({ from: source.path, target }))
  )
  const links = imports
    .map(({ from, target }) => [featureOf(from), featureOf(target)] as const)
    .filter(([from, to]) => from !== to && from !== undefined && to !== undefined)

  test('platform imports no feature', () => {
    expect(links.filter(([from]) => from === 'platform')).toEqual([])
  })

  test('features do not import each other in a circle', () => {
    const reachable = (
      feature: string | undefined,
      found = new Set<string | undefined>()
    ): typeof found => {
      for (const [from, to] of links) {
        if (from === feature && !found.has(to)) reachable(to, found.add(to))
      }
      return found
    }
    expect(links.filter(([from]) => reachable(from).has(from))).toEqual([])
  })

  test('a feature does not use the queries of another feature', () => {
    const isForeignQuery = ({ from, target }: (typeof imports)[number]): boolean =>
      /queries\.ts$/.test(target) &&
      featureOf(from) !== undefined &&
      featureOf(from) !== featureOf(target)
    expect(imports.filter(isForeignQuery)).toEqual([])
  })
})

describe('Architecture: size', () => {
  const product = [...src, ...server, ...sandbox, ...listSources('bench')]
  const lineCount = ({ text }: Source): number => text.trimEnd().split('\n').length

  test('no file is longer than 300 lines, or 400 for a list of tests', () => {
    const limit = ({ path }: Source): number => (path.startsWith('tests/') ? 400 : 300)
    const long = allSources.filter(source => lineCount(source) > limit(source))
    expect(long.map(({ path }) => path)).toEqual([])
  })

  test('no file of 25 lines or fewer has a single importer', () => {
    const importers = new Map<string, Set<string>>()
    for (const source of product) {
      for (const target of referencedFiles(source)) {
        importers.set(target, (importers.get(target) ?? new Set()).add(source.path))
      }
    }
    const fragments = product
      .filter(source => lineCount(source) <= 25 && importers.get(source.path)?.size === 1)
      .map(({ path }) => path)
    expect(fragments).toEqual([])
  })

  test('no file imports more than 25 files, except for the one that joins the features', () => {
    const others = product.filter(({ path }) => path !== 'server/app.ts')
    expect(
      others.filter(source => referencedFiles(source).length > 25).map(({ path }) => path)
    ).toEqual([])
  })

  test('no folder has more than 20 source files', () => {
    const count = (folder: string): number =>
      product.filter(({ path }) => dirname(path) === folder).length
    const folders = new Set(product.map(({ path }) => dirname(path)))
    const crowded = [...folders].filter(folder => count(folder) > 20)
    expect(crowded).toEqual([])
  })
})

describe('Architecture: source parsing', () => {
  const file = (code: string, path = 'src/islands/cart/Cart.tsx'): Source => ({
    path,
    text: code,
    code
  })

  test.for([
    [`import '#server/app.ts'`, 'server/app.ts'],
    [`await import('../../content/shop.ts')`, 'src/content/shop.ts'],
    [`export * from "../../../server/app.ts"`, 'server/app.ts'],
    [`new URL('../../pages/index.astro', import.meta.url)`, 'src/pages/index.astro']
  ])('finds the referenced file in %s', ([code = '', named]) => {
    expect(referencedFiles(file(code))).toEqual([named])
  })

  test.for([
    [`import { Product } from '#lib/contract/catalog.ts'`, 1],
    [`import { type Product, LiveProduct } from '#lib/contract/catalog.ts'`, 1],
    [`import * as contract from '#lib/contract/catalog.ts'`, 1],
    [`import type { Product } from '#lib/contract/catalog.ts'`, 0],
    [`import { type Product } from '#lib/contract/catalog.ts'`, 0]
  ] as const)('counts the imported schemas in %s', ([code, count]) => {
    expect(contractValues(file(code))).toHaveLength(count)
  })

  test.for([
    `import 'node:fs'`,
    `import fs from "node:fs"`,
    `import {\n  readFile\n} from 'node:fs'`,
    `import('node:fs')`
  ])('finds the imported package in %s', code =>
    expect(importedPackages(file(code))).toEqual(['node:fs'])
  )
})

/** Returns undefined for the files that wire the features together, such as `server/app.ts`. */
function featureOf(path: string): string | undefined {
  if (path === 'server/config.ts') return 'config'
  return /^server\/([^/]+)\//.exec(path)?.[1]
}

function under(folder: string): Source[] {
  return src.filter(({ path }) => path.startsWith(`${folder}/`))
}

function startsWithOne(file: string, folders: readonly string[]): boolean {
  return folders.some(folder => file.startsWith(folder))
}

function findViolations(
  files: readonly Source[],
  find: (source: Source) => readonly string[]
): string[] {
  return files.flatMap(source => find(source).map(violation => `${source.path}: ${violation}`))
}
