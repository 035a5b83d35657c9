import { findEditedFields } from '#lib/admin/changes.ts'
import { ADMIN_MESSAGES, postPublishedText } from '#lib/admin/messages.ts'
import { extractPostFields, findDifference, POST_LABELS, formatPostField } from '#lib/admin/post-form.ts'
import type { AdminPost, PostFields } from '#lib/contract/admin/posts.ts'
import { changePost, createPost, readPost } from '#lib/stores/admin/posts.ts'
import { notify } from '#lib/stores/toasts.ts'
import type { Difference } from '../ui/ConflictNotice.tsx'
import { useSaving, type SaveRules } from '../ui/use-saving.ts'

const SAVE_RULES: SaveRules<AdminPost, PostFields> = {
  getFields: extractPostFields,
  read: ({ id }) => readPost(id),
  save: (original, latest, fields) => {
    const names = findEditedFields(extractPostFields(original), fields)
    const changes: Partial<PostFields> = Object.fromEntries(names.map(name => [name, fields[name]]))
    return changePost(original.id, { ...changes, version: latest.version })
  },
  toDifference: (name, mine, theirs) => ({ label: POST_LABELS[name], ...formatBothVersions(name, mine, theirs) }),
  savedMessage: ({ title, hidden }) => ({ title, text: hidden ? ADMIN_MESSAGES.postDraftSaved : ADMIN_MESSAGES.saved })
}

export function usePostSaving(original: AdminPost | undefined, key: string) {
  const { save, ...saving } = useSaving(original, SAVE_RULES)
  return {
    ...saving,
    /** Returns false if another person has changed the same fields. Throws ShopError. */
    save: async (fields: PostFields, slug: string): Promise<boolean> => {
      if (original) return save(fields)
      await createPost({ ...fields, ...(slug !== '' && { slug }), key })
      const { text } = SAVE_RULES.savedMessage(fields)
      notify({ title: fields.hidden ? fields.title : postPublishedText(fields.title), text })
      return true
    }
  }
}

type BothVersions = Pick<Difference, 'mine' | 'theirs'>

function formatBothVersions(name: keyof PostFields, mine: PostFields, theirs: PostFields): BothVersions {
  if (name === 'content') {
    return { mine: findDifference(mine.content, theirs.content), theirs: findDifference(theirs.content, mine.content) }
  }
  return { mine: formatPostField(name, mine[name]), theirs: formatPostField(name, theirs[name]) }
}
