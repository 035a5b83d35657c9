import { ADMIN_MESSAGES, placeholderUnknownText } from '#lib/admin/messages.ts'
import { ShopError, type FieldErrors } from '#lib/errors.ts'
import { findUnknownPlaceholder } from '#lib/settings.ts'

/** Renders Markdown as the site does. Throws TEXT_NOT_RENDERABLE, so that no text is saved that its page can't show. */
export async function renderText(content: string, isPage?: (path: string) => boolean): Promise<string> {
  // Loaded on demand because the renderer takes several MB of memory.
  const { renderMarkdown } = await import('#content/render-markdown.ts')
  try {
    return renderMarkdown(content, isPage)
  } catch (cause) {
    throw new ShopError('TEXT_NOT_RENDERABLE', { cause, fields: { content: ADMIN_MESSAGES.textNotRenderable } })
  }
}

/** Returns the error text for a policy or About us, by field. */
export async function findTextProblems(text: string): Promise<FieldErrors> {
  const placeholder = findUnknownPlaceholder(text)
  if (placeholder !== undefined) return { text: placeholderUnknownText(placeholder) }
  try {
    await renderText(text)
    return {}
  } catch (error) {
    if (error instanceof ShopError && error.code === 'TEXT_NOT_RENDERABLE') {
      return { text: ADMIN_MESSAGES.textNotRenderable }
    }
    throw error
  }
}
