import { useRef } from 'react'
import type { Picture } from '#lib/contract/values.ts'
import { saveDraft, readDraft } from '#lib/stores/drafts.ts'
import { uuid } from '#lib/uuid.ts'

export type DraftKind = 'product' | 'post' | 'deal'

interface Kept<Name extends string> {
  /** Of the record, or a placeholder for a new one. */
  id: string
  key: string
  values: Record<Name, string>
  pictures: readonly Picture[]
}

export type FormDraft<Name extends string> = ReturnType<typeof useFormDraft<Name>>

/** Keeps unsaved values across reloads and expired sessions. */
export function useFormDraft<Name extends string>(kind: DraftKind, id: string, names: readonly Name[]) {
  const before = useRef<Partial<Kept<Name>>>(undefined)
  before.current ??= restored(kind, id, names)
  const key = useRef(before.current.key ?? uuid())
  const now = useRef(before.current)

  const update = (change: Partial<Kept<Name>>) => {
    now.current = { ...now.current, ...change }
    saveDraft(kind, { id, key: key.current, ...now.current })
  }
  return {
    before: before.current,
    key: key.current,
    type: (values: Record<Name, string>) => update({ values }),
    picture: (pictures: readonly Picture[]) => update({ pictures }),
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
