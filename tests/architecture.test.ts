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
  'src/content': ['content', 'texts', 'lib'],
  'src/lib': ['lib']
}

const COMMANDS = ['server/main.ts', 'server/commands/', 'sandbox/main.ts']
const READS_ENVIRONMENT = ['server/config.ts', ...COMMANDS]

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
    expect(findImports(under(folder), file => !startsWithOne(file, allowed))).toEqual([])
  })

  test('server code imports only lib (without stores), texts and render-markdown.ts from src', () => {
    const allowed = [
      'server/',
      'sandbox/',
      'src/lib/',
      'src/texts/',
      'src/content/render-markdown.ts'
    ]
    const isForbidden = (file: string) =>
      !startsWithOne(file, allowed) || file.startsWith('src/lib/stores/')
    expect(findImports(server, isForbidden)).toEqual([])
  })

  test('the sandbox imports nothing of the shop but how it keeps a secret', () => {
    const allowed = ['sandbox/', 'server/platform/process/secret.ts']
    expect(findImports(sandbox, file => !startsWithOne(file, allowed))).toEqual([])
  })
})

describe('Architecture: shared code', () => {
  const shared = under('src/lib').filter(
    ({ path }) => !/^src\/lib\/(stores\/|browser\.ts$)/.test(path)
  )

  test('src/lib imports no Node modules', () => {
    const isAllowed = (name: string) => /^(zod\/mini|nanostores)$/.test(name)
    expect(
      findViolations(under('src/lib'), source =>
        importedPackages(source).filter(name => !isAllowed(name))
      )
    ).toEqual([])
  })

  test('src/lib uses the DOM only in stores, browser.ts and for the language of the page', () => {
    const dom =
      /\b(document|window|localStorage|sessionStorage|navigator|HTMLElement)\b\s*(\??\.(?!documentElement\.lang)\w|\[)/g
    expect(findText(shared, dom)).toEqual([])
  })

  test('the contract imports only itself, money, time and constants', () => {
    const isGround = (file: string) =>
      /^src\/lib\/(contract\/.*|money\.ts|time\.ts|constants\.ts)$/.test(file)
    expect(findImports(under('src/lib/contract'), file => !isGround(file))).toEqual([])
  })

  test('browser code never imports zod, and of the schemas only their types', () => {
    const schemas = under('src/lib/contract').filter(source => importedPackages(source).length > 0)
    const isSchema = (path: string) => schemas.some(schema => schema.path === path)
    const browserSources = src
      .filter(({ path }) => !path.startsWith('src/content/') && !isSchema(path))
      .map(browserCode)
    const values = findViolations(browserSources, source => contractValues(source).filter(isSchema))
    const packages = findViolations(browserSources, importedPackages)
    expect([...values, ...packages.filter(violation => /: zod\b/.test(violation))]).toEqual([])
  })
})

describe('Architecture: restricted features', () => {
  const code = [...src, ...server, ...sandbox]
  const except = (files: readonly Source[], paths: readonly string[]) =>
    files.filter(({ path }) => !startsWithOne(path, paths))

  test('only config and commands read process.env', () => {
    const others = except(code, [...READS_ENVIRONMENT, 'src/content/'])
    expect(findText(others, /process\.env/g)).toEqual([])
  })

  test('only the HTML wrappers insert unescaped HTML', () => {
    const inserts = /set:html|dangerouslySetInnerHTML|\.innerHTML\s*=/g
    expect(findText(except(src, HTML_WRAPPERS), inserts)).toEqual([])
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
    const isForeignQuery = ({ from, target }: (typeof imports)[number]) =>
      /queries\.ts$/.test(target) &&
      featureOf(from) !== undefined &&
      featureOf(from) !== featureOf(target)
    expect(imports.filter(isForeignQuery)).toEqual([])
  })
})

describe('Architecture: size', () => {
  const product = [...src, ...server, ...sandbox, ...listSources('bench')]
  const lineCount = ({ text }: Source) => text.trimEnd().split('\n').length

  test('no file is longer than 300 lines, or 400 for a list of tests', () => {
    const limit = ({ path }: Source) => (path.startsWith('tests/') ? 400 : 300)
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
    const count = (folder: string) => product.filter(({ path }) => dirname(path) === folder).length
    const folders = new Set(product.map(({ path }) => dirname(path)))
    const crowded = [...folders].filter(folder => count(folder) > 20)
    expect(crowded).toEqual([])
  })
})

test('the rules above see every kind of import', () => {
  const code = `
import { type Product, LiveProduct } from '#lib/contract/catalog.ts'
import {
  readFile
} from 'node:fs'
await import('../ui/Button.tsx')`
  const source = { path: 'src/islands/cart/Cart.tsx', text: code, code }
  const catalog = 'src/lib/contract/catalog.ts'
  expect(referencedFiles(source)).toEqual([catalog, 'src/islands/ui/Button.tsx'])
  expect(contractValues(source)).toEqual([catalog])
  expect(importedPackages(source)).toEqual(['node:fs'])
})

/** Returns undefined for the files that wire the features together, such as `server/app.ts`. */
function featureOf(path: string) {
  if (path === 'server/config.ts') return 'config'
  return /^server\/([^/]+)\//.exec(path)?.[1]
}

function under(folder: string) {
  return src.filter(({ path }) => path.startsWith(`${folder}/`))
}

function startsWithOne(file: string, folders: readonly string[]) {
  return folders.some(folder => file.startsWith(folder))
}

function findViolations(files: readonly Source[], find: (source: Source) => readonly string[]) {
  return files.flatMap(source => find(source).map(violation => `${source.path}: ${violation}`))
}

function findImports(files: readonly Source[], isForbidden: (file: string) => boolean) {
  return findViolations(files, source => referencedFiles(source).filter(isForbidden))
}

function findText(files: readonly Source[], text: RegExp) {
  return findViolations(files, ({ code }) => code.match(text) ?? [])
}
