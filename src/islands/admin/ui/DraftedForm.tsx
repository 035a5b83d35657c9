import { Fragment, useState, type ReactNode } from 'react'
import { DraftRestored } from './DraftRestored.tsx'
import { useFormDraft, type DraftKind, type FormDraft } from './use-form-draft.ts'

export interface Drafted<Name extends string> {
  draft: FormDraft<Name>
  /** Restored values, used instead of the saved ones. */
  before: FormDraft<Name>['before']
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
  const [restored, setRestored] = useState(draft.before.values !== undefined || draft.before.pictures !== undefined)
  // A new key remounts the form with the saved values.
  const [round, setRound] = useState(0)
  const startOver = () => {
    draft.drop()
    setRestored(false)
    setRound(round + 1)
  }
  return (
    <>
      {restored && <DraftRestored onStartOver={startOver} />}
      <Fragment key={round}>{children({ draft, before: round === 0 ? draft.before : {} })}</Fragment>
    </>
  )
}
