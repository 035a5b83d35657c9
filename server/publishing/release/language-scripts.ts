import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'
import { TRANSLATIONS, type Translation } from '#lib/constants.ts'
import { withoutContext, type Dictionary } from '#lib/contract/texts.ts'
import { readDictionary } from '../../platform/language.ts'

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

interface FoundText {
  text: string
  start: number
  end: number
}

/** By function: which arguments are texts. A fourth argument is an object with options. */
const TEXT_ARGUMENTS: Partial<Record<string, readonly number[]>> = {
  // Of `lib/contract/texts.ts`.
  t: [0],
  rich: [0],
  plural: [1, 2],
  text: [0],
  texts: [0],
  // Of `lib/admin/fields.ts`, which describes forms.
  field: [2, 3],
  tamil: [1, 2],
  timeField: [1],
  hiddenField: [0, 1],
  listField: [1, 2, 3],
  group: [0, 1]
}
const SOURCES = /\/(?:texts|fields)\.ts\b/
/** Of the last argument of `field` and `listField`: the options that are texts. */
const TEXT_OPTIONS = /^(?:hint|formLabel|empty)$/

interface TextCall {
  name: string
  call: Node
  texts: FoundText[]
  /** The argument, if the translated text can replace the call. */
  argument: Node | undefined
}

/** Finds the calls in a module that have texts. */
export function findTextCalls(program: Node): TextCall[] {
  const names = findImportedNames(program)
  const calls: TextCall[] = []
  if (names.size > 0)
    visit(program, call => {
      const callee = call['callee'] as Node | undefined
      const name = call.type === 'CallExpression' && names.get(String(callee?.['name']))
      const indexes = name && TEXT_ARGUMENTS[name]
      if (!indexes) return
      const given = call['arguments'] as Node[]
      const texts = indexes.flatMap(index =>
        (index === 3 ? pickOptions(given[index]) : [given[index]]).flatMap(listTexts)
      )
      const isReplaced = name === 'text' || name === 'texts' || (name === 't' && !given[1])
      calls.push({ name, call, texts, argument: isReplaced ? given[0] : undefined })
    })
  return calls
}

/** By local name. */
function findImportedNames(program: Node): Map<string, string> {
  const names = new Map<string, string>()
  for (const { type, source, specifiers } of program['body'] as Node[]) {
    if (type !== 'ImportDeclaration' || !SOURCES.test(String((source as Node)['value']))) continue
    for (const { local, imported } of specifiers as Record<string, Node | undefined>[])
      names.set(String(local?.['name']), String(imported?.['name']))
  }
  return names
}

function visit(node: unknown, onNode: (node: Node) => void) {
  if (Array.isArray(node)) for (const each of node) visit(each, onNode)
  else if (isNode(node)) {
    onNode(node)
    for (const value of Object.values(node)) visit(value, onNode)
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

function pickOptions(node: Node | undefined): (Node | undefined)[] {
  if (node?.type !== 'ObjectExpression') return [node]
  const options = node['properties'] as Node[]
  return options.filter(({ key }) => TEXT_OPTIONS.test(String((key as Node | undefined)?.['name'])))
}

function listTexts(node: Node | undefined): FoundText[] {
  if (!node) return []
  const { type, start, end } = node
  const constant = evaluate(node)
  if (constant) return [{ text: constant, start, end }]
  const parts = {
    ConditionalExpression: ['consequent', 'alternate'],
    LogicalExpression: ['left', 'right'],
    ObjectExpression: ['properties'],
    Property: ['value'],
    ArrayExpression: ['elements']
  }[type]
  const inside = parts?.flatMap(part => node[part] as Node | (Node | null)[]) ?? []
  return inside.flatMap(each => listTexts(each ?? undefined))
}

function evaluate(node: Node): string | undefined {
  const { type, value, operator, left, right } = node
  if (type === 'Literal') return typeof value === 'string' ? value : undefined
  if (type === 'TemplateLiteral') {
    const [only, ...others] = node['quasis'] as { value: { cooked: string } }[]
    return others.length === 0 ? only?.value.cooked : undefined
  }
  if (type !== 'BinaryExpression' || operator !== '+') return undefined
  const [first, second] = [evaluate(left as Node), evaluate(right as Node)]
  return first === undefined || second === undefined ? undefined : first + second
}

const MARK = /%text-([\w-]+)%/g
const toMark = (text: string): string => `%text-${Buffer.from(text).toString('base64url')}%`

/** Replaces each text of a module by a mark that survives bundling and minifying. */
export function markTexts(code: string, program: Node): string | undefined {
  const edits = findTextCalls(program).flatMap(({ call, texts, argument }) => [
    ...texts.map(({ text, start, end }) => ({ start, end, by: JSON.stringify(toMark(text)) })),
    ...(argument
      ? [
          { start: call.start, end: argument.start, by: '(' },
          { start: argument.end, end: call.end, by: ')' }
        ]
      : [])
  ])
  if (edits.length === 0) return undefined
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end, by }) => rest.slice(0, start) + by + rest.slice(end), code)
}

/** Puts the texts of a language in the place of the marks. */
function fillMarks(code: string, dictionary: Dictionary = {}) {
  return code.replace(MARK, (_, mark: string) => {
    const text = Buffer.from(mark, 'base64url').toString()
    const translated = dictionary[text] ?? withoutContext(text)
    // The minifier chooses the quotes around a mark.
    return JSON.stringify(translated).slice(1, -1).replace(/['`$]/g, '\\$&')
  })
}

/** The folder of a language's scripts has a hash, because browsers keep these files. */
function listScriptFolders(): Record<Translation, string> {
  const folders = TRANSLATIONS.map(language => {
    const texts = JSON.stringify(readDictionary(language))
    const hash = createHash('sha256').update(texts).digest('base64url').slice(0, 8)
    return [language, `_astro/${language}-${hash}/`] as const
  })
  return Object.fromEntries(folders) as Record<Translation, string>
}

/** Vite plugin for the scripts of browsers and of their workers. */
export function textMarks(): Plugin {
  return {
    name: 'text-marks',
    apply: 'build',
    transform(code, id, { ssr } = {}) {
      if (ssr || !SOURCES.test(code) || id.includes('node_modules')) return undefined
      return { code: markTexts(code, this.parse(code) as unknown as Node) ?? code, map: null }
    }
  }
}

/** Writes a copy of the browser's scripts per language. */
export function languageScripts(): Plugin {
  let folders: Partial<Record<Translation, string>> = {}
  return {
    name: 'language-scripts',
    config(_, { command }) {
      if (command === 'build') folders = listScriptFolders()
      return { define: { 'import.meta.env.SCRIPT_FOLDERS': JSON.stringify(folders) } }
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        if (this.environment.name === 'ssr') return
        for (const file of Object.values(bundle)) {
          if (!file.fileName.endsWith('.js')) continue
          const code = String(file.type === 'chunk' ? file.code : file.source)
          for (const [language, folder] of Object.entries(folders)) {
            const local = code.replace(/\/_astro\/(?=[\w.-]+\.js\b)/g, `/${folder}`)
            this.emitFile({
              type: 'asset',
              fileName: file.fileName.replace('_astro/', folder),
              source: fillMarks(local, readDictionary(language as Translation))
            })
          }
          if (file.type === 'chunk') file.code = fillMarks(code)
          else file.source = fillMarks(code)
        }
      }
    }
  }
}
