import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'

export function containsWord(text: Expression<string>, word: string): RawBuilder<SqlBool> {
  const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`lower(${text}) like ${pattern} escape '\\'`
}

export function wordsOf(typed = ''): string[] {
  return typed.toLowerCase().split(/\s+/).filter(Boolean)
}
