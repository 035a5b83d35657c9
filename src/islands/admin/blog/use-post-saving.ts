import { editedFields } from '#lib/admin/changes.ts'
import { ADMIN_MESSAGES, postPublished } from '#lib/admin/messages.ts'
import { fieldsOfPost, diffSnippet, POST_LABELS, formatPostField } from '#lib/admin/post-form.ts'
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
  savedMessage: ({ title, hidden }) => ({ title, text: hidden ? ADMIN_MESSAGES.postDraftSaved : ADMIN_MESSAGES.saved })
}

export function usePostSaving(start: AdminPost | undefined, key: string) {
  const { save, ...saving } = useSaving(start, SAVING)
  return {
    ...saving,
    /** Returns false on a conflict. Throws ShopError. */
    save: async (typed: PostFields, slug: string): Promise<boolean> => {
      if (start) return save(typed)
      await createPost({ ...typed, ...(slug !== '' && { slug }), key })
      const { text } = SAVING.savedMessage(typed)
      notify({ title: typed.hidden ? typed.title : postPublished(typed.title), text })
      return true
    }
  }
}

function sides(name: keyof PostFields, mine: PostFields, theirs: PostFields): { mine: string; theirs: string } {
  if (name === 'content') {
    return { mine: diffSnippet(mine.content, theirs.content), theirs: diffSnippet(theirs.content, mine.content) }
  }
  return { mine: formatPostField(name, mine[name]), theirs: formatPostField(name, theirs[name]) }
}
