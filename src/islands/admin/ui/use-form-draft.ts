import { useRef } from 'react'
import type { Picture } from '#lib/contract/values.ts'
import { saveDraft, readDraft } from '#lib/stores/drafts.ts'
import { uuid } from '#lib/uuid.ts'

export type DraftKind = 'product' | 'post' | 'deal'

interface Kept<Name extends string> {
  /** Of the thing, or that of a new one. */
  id: string
  /** Of the form, so that a new thing is made once however often it is sent. */
  key: string
  values: Record<Name, string>
  pictures: readonly Picture[]
}

export type FormDraft<Name extends string> = ReturnType<typeof useFormDraft<Name>>

/**
 * What was typed into the form of a product, a post or a deal and not saved; it outlives a reload and a session that ended. `names`
 * are the fields of the form.
 */
export function useFormDraft<Name extends string>(kind: DraftKind, id: string, names: readonly Name[]) {
  const before = useRef<Partial<Kept<Name>>>(undefined)
  before.current ??= restored(kind, id, names)
  const key = useRef(before.current.key ?? uuid())
  const now = useRef(before.current)

  const keep = (change: Partial<Kept<Name>>) => {
    now.current = { ...now.current, ...change }
    saveDraft(kind, { id, key: key.current, ...now.current })
  }
  return {
    /** What an earlier visit has left. */
    before: before.current,
    key: key.current,
    type: (values: Record<Name, string>) => keep({ values }),
    picture: (pictures: readonly Picture[]) => keep({ pictures }),
    drop: () => {
      now.current = {}
      saveDraft(kind, undefined)
    }
  }
}

function restored<Name extends string>(kind: DraftKind, id: string, names: readonly Name[]): Partial<Kept<Name>> {
  const kept = readDraft<Kept<Name>>(kind)
  if (kept?.id !== id) return {}
  const { key, values, pictures } = kept
  return {
    ...(typeof key === 'string' && { key }),
    ...(holds(values, names) && { values }),
    ...(Array.isArray(pictures) && pictures.every(isPicture) && { pictures })
  }
}

function holds<Name extends string>(values: unknown, names: readonly Name[]): values is Record<Name, string> {
  const texts = (values ?? {}) as Record<string, unknown>
  return names.every(name => typeof texts[name] === 'string')
}

function isPicture(value: unknown): value is Picture {
  const picture = (value ?? {}) as Partial<Picture>
  return typeof picture.key === 'string' && typeof picture.width === 'number' && typeof picture.alt === 'string'
}
