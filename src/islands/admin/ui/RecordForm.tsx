import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { t } from '#lib/contract/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Failure } from '../../ui/Buttons.tsx'
import type { RecordFormState } from './use-record-form.ts'

interface RecordFormProps {
  label: string
  form: RecordFormState
  saveLabel: string
  /** With a button that saves and then shows an empty form. */
  hasAnother?: boolean
  children: ReactNode
}

export function RecordForm(props: RecordFormProps) {
  const { label, form: record, saveLabel, hasAnother = false } = props
  const { form, busy, failure, upload, close } = record
  const [waiting, setWaiting] = useState<HTMLElement | null>()
  useEffect(() => {
    if (upload === 'running' || waiting === undefined) return
    setWaiting(undefined)
    // Not in this task: if the upload ends while the button is pressed, the browser still fires the
    // submit event, and ignores another one.
    if (upload === 'none') setTimeout(() => form.ref.current?.requestSubmit(waiting))
  }, [upload])
  const isWaiting = waiting !== undefined
  useEffect(() => {
    if (!isWaiting) return undefined
    return () => {
      if (!form.ref.current) record.tellMissed(t('The picture had not arrived.'))
    }
  }, [isWaiting])
  const idleLabel = isWaiting ? t('Waiting for the picture…') : saveLabel
  return (
    <form
      {...form}
      aria-label={label}
      onSubmit={event => {
        if (upload !== 'running') return form.onSubmit(event)
        event.preventDefault()
        setWaiting(event.nativeEvent.submitter)
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
    >
      <DraftNotice form={record} />
      {record.differences && <ConflictNotice form={record} />}
      <fieldset disabled={busy} className="contents">
        {props.children}
      </fieldset>
      {/* Above the undo bar, if that is shown. */}
      <div
        data-save-bar
        className={
          'sticky bottom-0 z-[31] -mx-4 grid gap-3 border-t border-brass/40 bg-cream px-4 py-3 ' +
          '[body:has([data-undo])_&]:bottom-20'
        }
      >
        <Failure failure={failure} busy={busy} />
        <div
          className={
            'flex flex-wrap gap-3 ' +
            (hasAnother ? 'max-sm:gap-2 max-sm:[&>*]:px-2 max-sm:[&>*]:text-sm' : '')
          }
        >
          <Button
            type="submit"
            look="primary"
            label={busy ? t('Saving…') : idleLabel}
            busy={busy || isWaiting}
          />
          {hasAnother && (
            <Button
              type="submit"
              data-another=""
              label={t('Save and add another')}
              busy={busy || isWaiting}
            />
          )}
          <Button
            label={t('Cancel')}
            className={hasAnother ? 'max-sm:hidden' : ''}
            onClick={close}
          />
        </div>
      </div>
    </form>
  )
}

export function DraftNotice({ form }: { form: RecordFormState }) {
  if (!form.isRestored) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 rounded-card bg-cream-deep px-4 py-2"
    >
      {t('We restored your unsaved draft.')}
      <Button look="link" label={t('Discard draft')} onClick={form.discardDraft} />
    </div>
  )
}

function ConflictNotice({ form }: { form: RecordFormState }) {
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="alert" className="grid gap-3 rounded-card border-2 border-chilli p-4">
      <p ref={heading} tabIndex={-1} className="font-semibold text-chilli outline-none">
        {ADMIN_MESSAGES.changedByOthers}
      </p>
      <p>{t('This is about the fields below. Your other changes are saved too.')}</p>
      <dl className="grid gap-2">
        {form.differences?.map(({ label, mine, theirs }) => (
          <div key={label} className="grid gap-x-4 sm:grid-cols-[8rem_1fr_1fr]">
            <dt className="font-semibold">{label}</dt>
            <dd className="min-w-0 break-words">
              <span className="text-ink/70">{t('Yours:')}</span> {mine || t('empty')}
            </dd>
            <dd className="min-w-0 break-words">
              <span className="text-ink/70">{t('Theirs:')}</span> {theirs || t('empty')}
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-3">
        <Button label={t('Use their version')} onClick={form.takeTheirs} />
        <Button label={t('Keep mine')} onClick={form.keepMine} />
      </div>
    </div>
  )
}
