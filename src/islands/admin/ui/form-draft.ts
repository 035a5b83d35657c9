import { useRef, useState } from 'react'
import { createUuid, readDraft, saveDraft } from '#lib/browser.ts'
import type { Picture } from '#lib/contract/values.ts'

type DraftKind = 'product' | 'post' | 'collection' | 'deal' | 'coupon'

interface Draft<Name extends string> {
  /** Idempotency key of the request that creates the record. */
  key: string
  values?: Record<Name, string>
  pictures?: readonly Picture[]
}

export type FormDraft<Name extends string> = ReturnType<typeof useFormDraft<Name>>

/**
 * Saves the form values in session storage and restores them after a reload. `id` is the id of the record, or a
 * placeholder if the record is new.
 */
export function useFormDraft<Name extends string>(kind: DraftKind, id: string, names: readonly Name[]) {
  const [restored] = useState(() => restoreDraft(kind, id, names))
  const [isRestored, setIsRestored] = useState(restored.values !== undefined || restored.pictures !== undefined)
  const latest = useRef(restored)

  const update = (change: Partial<Draft<Name>>) => {
    latest.current = { ...latest.current, ...change }
    saveDraft(kind, { id, ...latest.current })
  }
  return {
    ...restored,
    isRestored,
    saveValues: (values: Record<Name, string>) => update({ values }),
    savePictures: (pictures: readonly Picture[]) => update({ pictures }),
    discard: () => {
      latest.current = { key: restored.key }
      saveDraft(kind, undefined)
      setIsRestored(false)
    }
  }
}

function restoreDraft<Name extends string>(kind: DraftKind, id: string, names: readonly Name[]): Draft<Name> {
  const stored = readDraft<Draft<Name> & { id: string }>(kind)
  if (stored?.id !== id) return { key: createUuid() }
  const { key, values, pictures } = stored
  return {
    key: typeof key === 'string' ? key : createUuid(),
    ...(hasStrings(values, names) && { values }),
    ...(Array.isArray(pictures) && pictures.every(isPicture) && { pictures })
  }
}

function hasStrings<Name extends string>(values: unknown, names: readonly Name[]): values is Record<Name, string> {
  const texts = (values ?? {}) as Record<string, unknown>
  return names.every(name => typeof texts[name] === 'string')
}

function isPicture(value: unknown): value is Picture {
  const picture = (value ?? {}) as Partial<Picture>
  return typeof picture.key === 'string' && typeof picture.width === 'number' && typeof picture.alt === 'string'
}
