import { editedFields } from '#lib/admin/changes.ts'
import { ADMIN_MESSAGES, postPublished } from '#lib/admin/messages.ts'
import { fieldsOfPost, excerptAround, POST_LABELS, formatPostField } from '#lib/admin/post-form.ts'
import type { AdminPost, PostFields } from '#lib/contract/admin/posts.ts'
import { changePost, createPost, readPost } from '#lib/stores/admin/posts.ts'
import { notify } from '#lib/stores/toasts.ts'
import { useSaving, type Saving } from '../ui/use-saving.ts'

const SAVING: Saving<AdminPost, PostFields> = {
  fieldsOf: fieldsOfPost,
  read: ({ id }) => readPost(id),
  change: (start, now, typed) => {
    const names = editedFields(fieldsOfPost(start), typed)
    const fields: Partial<PostFields> = Object.fromEntries(names.map(name => [name, typed[name]]))
    return changePost(start.id, { ...fields, version: now.version })
  },
  differenceIn: (name, mine, theirs) => ({ label: POST_LABELS[name], ...sides(name, mine, theirs) }),
  saved: ({ title, hidden }) => ({ title, text: hidden ? ADMIN_MESSAGES.postDraftSaved : ADMIN_MESSAGES.saved })
}

/** Sends what was typed over `start`, a post as the form began with it; nothing for a new one. */
export function usePostSaving(start: AdminPost | undefined, key: string) {
  const { save, ...saving } = useSaving(start, SAVING)
  return {
    ...saving,
    /** Answers whether it is done; a conflict is shown instead. Throws ShopError. */
    save: async (typed: PostFields, slug: string): Promise<boolean> => {
      if (start) return save(typed)
      await createPost({ ...typed, ...(slug !== '' && { slug }), key })
      const { text } = SAVING.saved(typed)
      notify({ title: typed.hidden ? typed.title : postPublished(typed.title), text })
      return true
    }
  }
}

// Of a long text only the passage that differs.
function sides(name: keyof PostFields, mine: PostFields, theirs: PostFields): { mine: string; theirs: string } {
  if (name === 'content') {
    return { mine: excerptAround(mine.content, theirs.content), theirs: excerptAround(theirs.content, mine.content) }
  }
  return { mine: formatPostField(name, mine[name]), theirs: formatPostField(name, theirs[name]) }
}
