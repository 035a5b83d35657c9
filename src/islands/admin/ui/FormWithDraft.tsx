import { Fragment, useState, type ReactNode } from 'react'
import { DraftRestored } from './DraftRestored.tsx'
import { useFormDraft, type DraftKind, type FormDraft } from './use-form-draft.ts'

export interface DraftProps<Name extends string> {
  draft: FormDraft<Name>
  /** Values from the draft. The form shows these instead of the saved values. */
  restored: FormDraft<Name>['restored']
}

interface FormWithDraftProps<Name extends string> {
  kind: DraftKind
  id: string
  names: readonly Name[]
  children: (draftProps: DraftProps<Name>) => ReactNode
}

/** Restores the user's unsaved draft and shows a button to discard it. */
export function FormWithDraft<Name extends string>({ kind, id, names, children }: FormWithDraftProps<Name>) {
  const draft = useFormDraft(kind, id, names)
  const [isRestored, setIsRestored] = useState(
    draft.restored.values !== undefined || draft.restored.pictures !== undefined
  )
  // A new `key` remounts the form, which then shows the saved values.
  const [resetCount, setResetCount] = useState(0)
  const resetForm = () => {
    draft.discard()
    setIsRestored(false)
    setResetCount(resetCount + 1)
  }
  return (
    <>
      {isRestored && <DraftRestored onStartOver={resetForm} />}
      <Fragment key={resetCount}>{children({ draft, restored: resetCount === 0 ? draft.restored : {} })}</Fragment>
    </>
  )
}
