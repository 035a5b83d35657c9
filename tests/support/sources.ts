import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const SOURCE = /\.(ts|tsx|astro|mjs|js)$/

export interface Source {
  path: string
  text: string
  code: string
}

export function listSources(...roots: string[]): Source[] {
  return roots.flatMap(root =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && SOURCE.test(entry.name))
      .map(({ parentPath, name }) => readSource(posix.join(parentPath, name)))
  )
}

export function listRootSources(): Source[] {
  return readdirSync('.', { withFileTypes: true })
    .filter(entry => entry.isFile() && SOURCE.test(entry.name))
    .map(({ name }) => readSource(name))
}

function readSource(path: string) {
  const text = readFileSync(path, 'utf8')
  return { path, text, code: withoutComments(text) }
}

/**
 * Returns the project files that the source refers to, as paths from the project root. Reads all
 * string literals, because files are named not only in import statements but also in `import('…')`
 * and `new URL('…')`.
 */
export function referencedFiles({ path, code }: Source): string[] {
  return [...code.matchAll(/(['"`])((?:#[a-z]+|\.\.?)\/[^'"`\n]*)\1/g)].map(
    ([, , literal = '']) => {
      if (literal.startsWith('#server/')) return literal.slice(1)
      if (literal.startsWith('#')) return `src/${literal.slice(1)}`
      return posix.join(posix.dirname(path), literal)
    }
  )
}

/** Returns for example `zod/mini` or `node:fs`. Type imports are ignored. */
export function importedPackages({ code }: Source): string[] {
  const statements = code.matchAll(
    /^\s*(?:import|export)\s(?!type\s)(?:[^'"`;]*?\sfrom\s)?\s*(['"])([^'"\n]+)\1/gm
  )
  const calls = code.matchAll(/\b(?:import|require)\(\s*(['"`])([^'"`\n]+)\1/g)
  return [...statements, ...calls]
    .map(([, , name = '']) => name)
    .filter(name => /^[a-z@]/.test(name))
}

/** Returns the contract files from which values are imported, not only types. */
export function contractValues({ path, code }: Source): string[] {
  const statements = code.matchAll(
    /^\s*(?:import|export)\s+(?!type\s)([^'"`;]*?)from\s+(['"][^'"\n]+['"])/gm
  )
  return [...statements]
    .filter(([, names = '']) => !areAllTypes(names))
    .flatMap(([, , file = '']) => referencedFiles({ path, text: file, code: file }))
    .filter(file => file.startsWith('src/lib/contract/'))
}

/** Reduces the code of an .astro file to its script elements. */
export function browserCode(source: Source): Source {
  if (!source.path.endsWith('.astro')) return source
  const code = [...source.code.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, body]) => body)
    .join('\n')
  return { ...source, code }
}

function areAllTypes(names: string) {
  const namedImports = /^\{([\s\S]*)\}\s*$/.exec(names.trim())?.[1]
  return (
    namedImports !== undefined &&
    namedImports.split(',').every(name => name.trim() === '' || name.trim().startsWith('type '))
  )
}

function withoutComments(text: string) {
  return text.replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(?<=^|\s)\/\/.*$/gm, '')
}
