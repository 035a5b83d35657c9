import { escaped } from '../escaped.ts'

/** A paragraph, or a table of what is on its left and on its right. */
export type Block = string | readonly (readonly [left: string, right: string])[]

/** The same mail in plain text and in HTML. */
export function mailBody(title: string, blocks: readonly Block[]): { text: string; html: string } {
  return { text: blocks.map(asText).join('\n\n'), html: page(title, blocks.map(asHtml).join('\n')) }
}

function asText(block: Block): string {
  return typeof block === 'string' ? block : block.map(([left, right]) => `${left}: ${right}`).join('\n')
}

function asHtml(block: Block): string {
  if (typeof block === 'string')
    return `<p style="margin:0 0 16px">${linked(escaped(block).replaceAll('\n', '<br>'))}</p>`
  const cells = block.map(
    ([left, right]) =>
      `<tr><td style="padding:4px 16px 4px 0">${escaped(left)}</td>` +
      `<td style="padding:4px 0;text-align:right;white-space:nowrap">${escaped(right)}</td></tr>`
  )
  return `<table style="margin:0 0 16px;border-collapse:collapse">${cells.join('')}</table>`
}

// What is written out, so that the plain text has it too, can be pressed.
function linked(html: string): string {
  return html.replace(/https?:\/\/[^\s<]+[^\s<.,;:]/g, url => `<a href="${url}" style="color:#9b2c1f">${url}</a>`)
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en-IN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>
<body style="margin:0;padding:24px;background:#fdf6ea;color:#2b1a10;font:16px/1.5 system-ui,sans-serif">
${body}
</body>
</html>
`
}
