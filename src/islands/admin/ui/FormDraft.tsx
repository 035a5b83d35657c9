import { Fragment, useRef, useState, type ReactNode } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { createUuid, readDraft, saveDraft } from '#lib/browser.ts'
import type { Picture } from '#lib/contract/values.ts'
import { Button } from '../../ui/Button.tsx'

interface FormWithDraftProps<Name extends string> {
  kind: DraftKind
  id: string
  names: readonly Name[]
  children: (draft: FormDraft<Name>) => ReactNode
}

/** Restores the user's unsaved draft and shows a button to discard it. */
export function FormWithDraft<Name extends string>({ kind, id, names, children }: FormWithDraftProps<Name>) {
  const draft = useFormDraft(kind, id, names)
  const [isRestored, setIsRestored] = useState(
    draft.restored.values !== undefined || draft.restored.pictures !== undefined
  )
  // A new `key` remounts the form, which then shows the saved values.
  const [resetCount, setResetCount] = useState(0)
  const discard = () => {
    draft.discard()
    setIsRestored(false)
  }
  const reset = () => {
    discard()
    setResetCount(resetCount + 1)
  }
  return (
    <>
      {isRestored && (
        <div role="status" className="mb-4 flex flex-wrap items-center gap-x-4 rounded-card bg-cream-deep px-4 py-2">
          {ADMIN_MESSAGES.draftRestored}
          <Button look="link" label="Discard draft" onClick={reset} />
        </div>
      )}
      <Fragment key={resetCount}>
        {children({ ...draft, discard, restored: resetCount === 0 ? draft.restored : {} })}
      </Fragment>
    </>
  )
}

type DraftKind = 'product' | 'post' | 'deal'

interface StoredDraft<Name extends string> {
  /** Id of the record, or a placeholder if the record is new. */
  id: string
  /** Idempotency key of the request that creates the record. */
  key: string
  values: Record<Name, string>
  pictures: readonly Picture[]
}

export type FormDraft<Name extends string> = ReturnType<typeof useFormDraft<Name>>

/** Saves the form values in session storage, so that they can be restored after a reload. */
function useFormDraft<Name extends string>(kind: DraftKind, id: string, names: readonly Name[]) {
  const restored = useRef<Partial<StoredDraft<Name>>>(undefined)
  restored.current ??= restoreDraft(kind, id, names)
  const key = useRef(restored.current.key ?? createUuid())
  const latest = useRef(restored.current)

  const update = (change: Partial<StoredDraft<Name>>) => {
    latest.current = { ...latest.current, ...change }
    saveDraft(kind, { id, key: key.current, ...latest.current })
  }
  return {
    restored: restored.current,
    key: key.current,
    saveValues: (values: Record<Name, string>) => update({ values }),
    savePictures: (pictures: readonly Picture[]) => update({ pictures }),
    discard: () => {
      latest.current = {}
      saveDraft(kind, undefined)
    }
  }
}

function restoreDraft<Name extends string>(
  kind: DraftKind,
  id: string,
  names: readonly Name[]
): Partial<StoredDraft<Name>> {
  const stored = readDraft<StoredDraft<Name>>(kind)
  if (stored?.id !== id) return {}
  const { key, values, pictures } = stored
  return {
    ...(typeof key === 'string' && { key }),
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
