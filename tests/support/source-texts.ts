import { transform as compileAstro } from '@astrojs/compiler'
import { transform } from 'esbuild'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { TRANSLATIONS } from '#lib/constants.ts'
import type { Dictionary } from '#lib/contract/texts.ts'
import { findTextCalls } from '#server/publishing/release/language-scripts.ts'

type Program = Parameters<typeof findTextCalls>[0]

export interface SourceTexts {
  file: string
  texts: string[]
  /** Calls that run when the module is loaded, before its language is known. */
  early: string[]
}

export const ROOT = new URL('../../', import.meta.url).pathname

export async function readSourceTexts(
  folders: readonly string[] = ['src', 'server']
): Promise<SourceTexts[]> {
  const files = folders.flatMap(listSources)
  return Promise.all(
    files.map(async file => {
      const program = parseAst(await compile(file)) as unknown as Program
      const calls = findTextCalls(program)
      return {
        file,
        texts: calls.flatMap(({ texts }) => texts.map(({ text }) => text)),
        early: listEarlyReads(program, calls)
      }
    })
  )
}

function listSources(folder: string) {
  if (/\.\w+$/.test(folder)) return [folder]
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter(name => /\.(?:tsx?|astro)$/.test(name) && !name.endsWith('.d.ts'))
    .map(name => join(folder, name))
}

async function compile(file: string) {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const code = file.endsWith('.astro') ? (await compileAstro(source)).code : source
  const loader = file.endsWith('.tsx') ? 'tsx' : 'ts'
  return (await transform(code, { loader, jsx: 'automatic', target: 'esnext' })).code
}

interface Node {
  type: string
  [key: string]: unknown
}

function listEarlyReads(program: Node, calls: ReturnType<typeof findTextCalls>) {
  const early = new Map<unknown, string>(
    calls
      .filter(({ name }) => /^(?:t|rich|plural)$/.test(name))
      .map(({ call, texts }) => [call, texts[0]?.text ?? 't'])
  )
  const found: string[] = []
  const walk = (node: unknown) => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const { type, object, property } = node as Node
    if (/Function|PropertyDefinition|MethodDefinition/.test(type)) return
    const text = early.get(node)
    if (text !== undefined) found.push(text)
    if (type === 'MemberExpression' && (object as Node)['name'] === 'paths')
      found.push(`paths.${String((property as Node)['name'])}`)
    for (const value of Object.values(node)) walk(value)
  }
  walk(program['body'])
  return found
}

export interface TextFile {
  language: string
  name: string
  texts: Dictionary
}

export function readTextFiles(): TextFile[] {
  return TRANSLATIONS.flatMap(language => {
    const folder = join(ROOT, 'src/texts', language)
    return readdirSync(folder).map(name => ({
      language,
      name,
      texts: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Dictionary
    }))
  })
}
