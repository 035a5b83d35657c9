import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const SOURCE = /\.(ts|tsx|astro|mjs|js)$/

/** A file of the project: its path from the root, its text, and the text without comments. */
export interface Source {
  path: string
  text: string
  code: string
}

/** Every source file under the given folders. */
export function sources(...roots: string[]): Source[] {
  return roots.flatMap(root =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && SOURCE.test(entry.name))
      .map(({ parentPath, name }) => readSource(posix.join(parentPath, name)))
  )
}

/** The settings of tools, beside package.json. */
export function rootSources(): Source[] {
  return readdirSync('.', { withFileTypes: true })
    .filter(entry => entry.isFile() && SOURCE.test(entry.name))
    .map(({ name }) => readSource(name))
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8')
  return { path, text, code: withoutComments(text) }
}

/**
 * What a file names of the project, as paths from its root: each string literal that begins with an alias or a relative
 * step. Literals, not import statements: `import '#server/x'`, `import('…')` and `new URL('…')` are found alike.
 */
export function referencedFiles({ path, code }: Source): string[] {
  return [...code.matchAll(/(['"`])((?:#[a-z]+|\.\.?)\/[^'"`\n]*)\1/g)].map(([, , literal = '']) => {
    if (literal.startsWith('#server/')) return literal.slice(1)
    if (literal.startsWith('#')) return `src/${literal.slice(1)}`
    return posix.join(posix.dirname(path), literal)
  })
}

/** The packages that a file imports, type imports left out: `zod/mini`, `node:fs`. */
export function importedPackages({ code }: Source): string[] {
  const statements = code.matchAll(/^\s*(?:import|export)\s(?!type\s)(?:[^'"`;]*?\sfrom\s)?\s*(['"])([^'"\n]+)\1/gm)
  const calls = code.matchAll(/\b(?:import|require)\(\s*(['"`])([^'"`\n]+)\1/g)
  return [...statements, ...calls].map(([, , name = '']) => name).filter(name => /^[a-z@]/.test(name))
}

/** The contract's files that a file imports as values, not only as types. */
export function contractValues({ code }: Source): string[] {
  const statements = code.matchAll(
    /^\s*(?:import|export)\s+(?!type\s)([^'"`;]*?)from\s+['"]([^'"\n]*contract\/[^'"\n]+)['"]/gm
  )
  return [...statements].filter(([, names = '']) => !onlyTypes(names)).map(([, , file = '']) => file)
}

/** What a page runs in the browser: its script elements, and every file that is not a page. */
export function browserCode(source: Source): Source {
  if (!source.path.endsWith('.astro')) return source
  const code = [...source.code.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map(([, body]) => body).join('\n')
  return { ...source, code }
}

function onlyTypes(names: string): boolean {
  const inside = /^\{([\s\S]*)\}\s*$/.exec(names.trim())?.[1]
  return inside !== undefined && inside.split(',').every(name => name.trim() === '' || name.trim().startsWith('type '))
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(?<=^|\s)\/\/.*$/gm, '')
}
