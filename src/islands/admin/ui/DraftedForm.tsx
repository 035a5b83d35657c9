import { Fragment, useState, type ReactNode } from 'react'
import { DraftRestored } from './DraftRestored.tsx'
import { useFormDraft, type DraftKind, type FormDraft } from './use-form-draft.ts'

/** What a form is given to keep a draft. */
export interface Drafted<Name extends string> {
  draft: FormDraft<Name>
  /** What the form begins with instead of what the shop has. */
  before: FormDraft<Name>['before']
}

interface DraftedFormProps<Name extends string> {
  kind: DraftKind
  /** Of the thing, or that of a new one. */
  id: string
  /** The fields of the form. */
  names: readonly Name[]
  children: (drafted: Drafted<Name>) => ReactNode
}

/** A form that begins with what was typed before and not saved, and the way back to what the shop has. */
export function DraftedForm<Name extends string>({ kind, id, names, children }: DraftedFormProps<Name>) {
  const draft = useFormDraft(kind, id, names)
  const [restored, setRestored] = useState(draft.before.values !== undefined || draft.before.pictures !== undefined)
  // A form that starts over is made anew with what the shop has.
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
