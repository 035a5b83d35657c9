/** A name as part of an address: 'Mysore Pak' is `mysore-pak`. `otherwise` for a name without a letter that addresses know. */
export function slugOf(name: string, otherwise: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return slug || otherwise
}

/** The first of `word`, `word-2`, `word-3` … that is not taken. */
export function firstFree(word: string, taken: ReadonlySet<string>): string {
  if (!taken.has(word)) return word
  for (let count = 2; ; count++) {
    if (!taken.has(`${word}-${count}`)) return `${word}-${count}`
  }
}
