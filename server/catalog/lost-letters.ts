/** Windows-1252 from byte 0x80. The rest is Latin-1. */
const WINDOWS_LETTERS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Text in UTF-8 that was read as Windows-1252, such as 'à®ªà®¾à®²à¯\x8d', is read again. */
export function repairLetters(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text
  const bytes = Array.from(text, letter => {
    const index = WINDOWS_LETTERS.indexOf(letter)
    return index < 0 ? (letter.codePointAt(0) ?? 0) : 0x80 + index
  })
  if (bytes.some(byte => byte > 0xff)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return text
  }
}

/** Excel for Mac writes an underscore. */
const LOST = /^[?_\uFFFD]+$/

/**
 * True if `text` is `stored` after a program has replaced the letters that its code page lacks.
 * LibreOffice writes one mark for an emoji, and Excel two. Some letters become the nearest one.
 */
export function hasLostLetters(text: string, stored: string): boolean {
  return [(letter: string) => letter.length, () => 1].some(countMarks => {
    let position = 0
    let isLost = false
    for (const letter of stored) {
      const marks = text.slice(position, position + countMarks(letter))
      const nearest = letter.normalize('NFKD').charAt(0)
      if (text.startsWith(letter, position)) position += letter.length
      else if (letter > '\x7f' && LOST.test(marks)) {
        position += marks.length
        isLost = true
      } else if (text.startsWith(nearest, position)) position += 1
      else return false
    }
    return isLost && position === text.length
  })
}

/** Marks that begin a word or an amount, or are inside a word: '?180', but not 'Really??'. */
export function looksLost(text: string): boolean {
  return /\uFFFD|(?:^|[\s(,;:/–-])(?:\?{2}|\?[\p{L}\p{N}])|\p{L}\?+\p{L}/u.test(text)
}
