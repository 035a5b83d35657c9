import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const SOURCE = /\.(ts|tsx|astro|mjs|js)$/

export interface Source {
  path: string
  text: string
  code: string
}

export function sources(...roots: string[]): Source[] {
  return roots.flatMap(root =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && SOURCE.test(entry.name))
      .map(({ parentPath, name }) => readSource(posix.join(parentPath, name)))
  )
}

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
 * Project files that the source refers to, as paths from the project root. It looks at string literals, not at import
 * statements, to find `import '#server/x'`, `import('…')` and `new URL('…')` alike.
 */
export function referencedFiles({ path, code }: Source): string[] {
  return [...code.matchAll(/(['"`])((?:#[a-z]+|\.\.?)\/[^'"`\n]*)\1/g)].map(([, , literal = '']) => {
    if (literal.startsWith('#server/')) return literal.slice(1)
    if (literal.startsWith('#')) return `src/${literal.slice(1)}`
    return posix.join(posix.dirname(path), literal)
  })
}

/** Without type imports; for example `zod/mini`, `node:fs`. */
export function importedPackages({ code }: Source): string[] {
  const statements = code.matchAll(/^\s*(?:import|export)\s(?!type\s)(?:[^'"`;]*?\sfrom\s)?\s*(['"])([^'"\n]+)\1/gm)
  const calls = code.matchAll(/\b(?:import|require)\(\s*(['"`])([^'"`\n]+)\1/g)
  return [...statements, ...calls].map(([, , name = '']) => name).filter(name => /^[a-z@]/.test(name))
}

/** Contract files that are imported as values, not only as types. */
export function contractValues({ code }: Source): string[] {
  const statements = code.matchAll(
    /^\s*(?:import|export)\s+(?!type\s)([^'"`;]*?)from\s+['"]([^'"\n]*contract\/[^'"\n]+)['"]/gm
  )
  return [...statements].filter(([, names = '']) => !onlyTypes(names)).map(([, , file = '']) => file)
}

/** For .astro files only the script elements. */
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
