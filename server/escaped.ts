/** Text as HTML shows it, also inside an attribute's quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
