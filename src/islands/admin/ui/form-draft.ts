import { useRef, useState } from 'react'
import { createUuid, hasTypes, readDraft, type RecordKind, saveDraft } from '#lib/browser.ts'
import type { Picture } from '#lib/contract/values.ts'

interface Draft<Name extends string, Item> {
  /**
   * The record before the edit, so that what others have changed since is kept. Undefined for a new
   * record.
   */
  original: Item | undefined
  /** Idempotency key of the request that creates the record. */
  key: string
  values?: Record<Name, string>
  pictures?: readonly Picture[]
}

/**
 * Saves the form values in session storage and restores them after a reload. `id` is the id of the
 * record, or a placeholder if the record is new.
 */
export function useFormDraft<Name extends string, Item>(
  kind: RecordKind,
  id: string,
  names: readonly Name[],
  original: Item | undefined
) {
  const [restored] = useState(() => restoreDraft(kind, id, names, original))
  const [isRestored, setIsRestored] = useState(
    restored.values !== undefined || restored.pictures !== undefined
  )
  const latest = useRef(restored)

  const update = (change: Partial<Draft<Name, Item>>) => {
    latest.current = { ...latest.current, ...change }
    saveDraft(`${kind} ${id}`, latest.current)
  }
  return {
    ...restored,
    isRestored,
    saveValues: (values: Record<Name, string>) => update({ values }),
    savePictures: (pictures: readonly Picture[]) => update({ pictures }),
    discard: () => {
      latest.current = { key: restored.key, original: restored.original }
      saveDraft(`${kind} ${id}`, undefined)
      setIsRestored(false)
    }
  }
}

function restoreDraft<Name extends string, Item>(
  kind: RecordKind,
  id: string,
  names: readonly Name[],
  original: Item | undefined
): Draft<Name, Item> {
  const types = Object.fromEntries(names.map(name => [name, 'string']))
  const { key, values, pictures, ...stored } = readDraft<Draft<Name, Item>>(`${kind} ${id}`) ?? {}
  return {
    original:
      original && hasTypes(stored.original, { version: 'number' })
        ? (stored.original as Item)
        : original,
    key: typeof key === 'string' ? key : createUuid(),
    ...(hasTypes(values, types) && { values: values as Record<Name, string> }),
    ...(Array.isArray(pictures) && pictures.every(isPicture) && { pictures })
  }
}

function isPicture(value: unknown): value is Picture {
  return hasTypes(value, { key: 'string', width: 'number', alt: 'string' })
}
