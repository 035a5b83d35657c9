/** Windows-1252 from byte 0x80. The rest is Latin-1. Excel’s plain CSV has no other letters. */
const WINDOWS_LETTERS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Excel for Mac writes an underscore. */
const LOST = '[?_\\uFFFD]'

/** True if `text` is `stored` after a program has replaced the letters that its code page lacks. */
export function hasLostLetters(text: string, stored: string): boolean {
  if (text === stored || !new RegExp(LOST).test(text)) return false
  const pattern = [...stored].map(letter => {
    if (letter < '\u0100' || WINDOWS_LETTERS.includes(letter)) return escapeLetter(letter)
    // An emoji becomes two marks, and the nearest letter is used for some others: ā becomes a.
    const nearest = letter.normalize('NFKD').charAt(0)
    return `(?:${LOST}{1,${letter.length}}|${escapeLetter(nearest)})`
  })
  return new RegExp(`^${pattern.join('')}$`).test(text)
}

function escapeLetter(letter: string): string {
  return letter.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
}

/** Marks where a word or a currency should begin: '???? பால்' or '?180', but not 'Really??'. */
export function looksLost(text: string): boolean {
  return /\uFFFD|(?:^|[\s(,;:/–-])\?+(?:[?\p{L}\p{N}]|\s|$)/u.test(text)
}

/** Text in UTF-8 that was read as Windows-1252, such as 'à®ªà®¾à®²à¯\x8d'. */
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
