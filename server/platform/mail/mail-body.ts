export type Block = string | readonly (readonly [left: string, right: string])[]

export function mailBody(title: string, blocks: readonly Block[]): { text: string; html: string } {
  return { text: blocks.map(toText).join('\n\n'), html: renderPage(title, blocks.map(toHtml).join('\n')) }
}

function toText(block: Block): string {
  return typeof block === 'string' ? block : block.map(([left, right]) => `${left}: ${right}`).join('\n')
}

export function toHtml(block: Block): string {
  if (typeof block === 'string')
    return `<p style="margin:0 0 16px">${linkUrls(escapeHtml(block).replaceAll('\n', '<br>'))}</p>`
  const cells = block.map(
    ([left, right]) =>
      `<tr><td style="padding:4px 16px 4px 0">${escapeHtml(left)}</td>` +
      `<td style="padding:4px 0;text-align:right;white-space:nowrap">${escapeHtml(right)}</td></tr>`
  )
  return `<table style="margin:0 0 16px;border-collapse:collapse">${cells.join('')}</table>`
}

function linkUrls(html: string): string {
  return html.replace(/https?:\/\/[^\s<]+[^\s<.,;:]/g, url => `<a href="${url}" style="color:#9b2c1f">${url}</a>`)
}

export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en-IN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#fdf6ea;color:#2b1a10;font:16px/1.5 system-ui,sans-serif">
${body}
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
