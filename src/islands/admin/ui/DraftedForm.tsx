import { Fragment, useState, type ReactNode } from 'react'
import { DraftRestored } from './DraftRestored.tsx'
import { useFormDraft, type DraftKind, type FormDraft } from './use-form-draft.ts'

export interface Drafted<Name extends string> {
  draft: FormDraft<Name>
  /** Restored values, used instead of the saved ones. */
  restored: FormDraft<Name>['restored']
}

interface DraftedFormProps<Name extends string> {
  kind: DraftKind
  id: string
  names: readonly Name[]
  children: (drafted: Drafted<Name>) => ReactNode
}

/** Restores an unsaved draft, and offers to discard it. */
export function DraftedForm<Name extends string>({ kind, id, names, children }: DraftedFormProps<Name>) {
  const draft = useFormDraft(kind, id, names)
  const [isRestored, setIsRestored] = useState(
    draft.restored.values !== undefined || draft.restored.pictures !== undefined
  )
  // A new key remounts the form with the saved values.
  const [round, setRound] = useState(0)
  const startOver = () => {
    draft.discard()
    setIsRestored(false)
    setRound(round + 1)
  }
  return (
    <>
      {isRestored && <DraftRestored onStartOver={startOver} />}
      <Fragment key={round}>{children({ draft, restored: round === 0 ? draft.restored : {} })}</Fragment>
    </>
  )
}
