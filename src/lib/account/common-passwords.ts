const SUBSTITUTIONS: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's'
}

export function parsePasswordList(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/**
 * Also matches variants such as `Priya@1987` and `p4ssw0rd!`. The list is a parameter, because it
 * is large.
 */
export function isCommonPassword(password: string, list: ReadonlySet<string>): boolean {
  const typed = password.trim().toLowerCase()
  const word = typed.replace(/^[^a-z]{0,4}/, '').replace(/[^a-z]{0,6}$/, '')
  return [
    typed,
    undoSubstitutions(typed),
    undoSubstitutions(typed.replace(/[^a-z]{0,6}$/, '')),
    word
  ].some(variant => list.has(variant))
}

function undoSubstitutions(typed: string): string {
  return typed.replace(/[013457@$]/g, character => SUBSTITUTIONS[character] ?? character)
}
