/**
 * Counts the edits (a letter inserted, removed or replaced, or two neighbours swapped) between `word` and that beginning
 * of `text` that needs the fewest: the optimal string alignment distance. Returns `max + 1` if there are more than `max`.
 */
export function countEdits(word: string, text: string, max: number): number {
  const width = Math.min(text.length, word.length + max)
  let before: number[] = []
  let above = Array.from({ length: width + 1 }, (_, column) => column)
  for (let row = 1; row <= word.length; row++) {
    const current = [row]
    for (let column = 1; column <= width; column++) {
      const isSame = word[row - 1] === text[column - 1]
      let edits = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1)
      )
      if (row > 1 && column > 1 && word[row - 1] === text[column - 2] && word[row - 2] === text[column - 1]) {
        edits = Math.min(edits, (before[column - 2] ?? 0) + 1)
      }
      current.push(edits)
    }
    if (Math.min(...current) > max) return max + 1
    before = above
    above = current
  }
  return Math.min(...above)
}

/** True if one edit or none makes `text` begin with `word`. Faster than counting, as each keystroke compares all words. */
export function isOneEdit(word: string, text: string): boolean {
  let n = 0
  while (n < word.length && word[n] === text[n]) n++
  const [rest, next] = [word.slice(n), word.slice(n + 1)]
  const isSwapped = word[n] === text[n + 1] && word[n + 1] === text[n]
  return (
    text.startsWith(next, n + 1) ||
    text.startsWith(next, n) ||
    text.startsWith(rest, n + 1) ||
    (isSwapped && text.startsWith(word.slice(n + 2), n + 2))
  )
}
