import { useStore } from '@nanostores/react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/contract/texts.ts'
import { $waiting, repeatCalls, WAITING_TEXTS } from '#lib/waiting.ts'
import { KOLAM } from '#lib/art/icons.ts'
import { Button } from './Button.tsx'

export function Loading({ text = t('Loading…'), rows = 3 }: { text?: string; rows?: number }) {
  return (
    <>
      <p role="status" className="sr-only [@media(scripting:none)]:hidden">
        {text}
      </p>
      <StillWaiting />
      <Skeleton rows={rows} />
    </>
  )
}

export function StillWaiting() {
  const waiting = useStore($waiting, { ssr: 'initial' })
  const [isRepeated, setRepeated] = useState(false)
  const isShort = waiting === 'short'
  const repeat = () => {
    setRepeated(true)
    repeatCalls()
  }
  return (
    <div
      aria-live="polite"
      aria-atomic="true"
      className="flex flex-wrap items-center gap-x-3 empty:hidden"
    >
      {(!isShort || isRepeated) && <p>{isShort ? WAITING_TEXTS.repeated : WAITING_TEXTS.long}</p>}
      {/* Stays when pressed, to keep the focus. */}
      {(waiting === 'repeatable' || (isShort && isRepeated)) && (
        <Button look="link" label={WAITING_TEXTS.repeat} busy={isShort} onClick={repeat} />
      )}
    </div>
  )
}

export function Skeleton({ rows }: { rows: number }) {
  return (
    <div aria-hidden="true" className="flex flex-col gap-4 [@media(scripting:none)]:hidden">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton h-32" />
      ))}
    </div>
  )
}

export function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <AlertState text={text}>
      <Button look="primary" label={t('Try again')} onClick={onRetry} />
    </AlertState>
  )
}

export function AlertState({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div role="alert">
      <EmptyState text={text}>{children}</EmptyState>
    </div>
  )
}

export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <img {...KOLAM} className="h-32 w-32" />
      <p className="text-balance font-serif text-xl font-semibold">{text}</p>
      {children}
    </div>
  )
}

interface RetryNoticeProps {
  title: string
  text: string | undefined
  onRetry: () => void
}

export function RetryNotice({ title, text, onRetry }: RetryNoticeProps) {
  return (
    <div role="alert" className="empty:hidden">
      {text !== undefined && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-card border border-brass bg-cream-deep p-4">
          <div>
            <p className="font-semibold">{title}</p>
            <p>{text}</p>
          </div>
          <Button label={t('Try again')} onClick={onRetry} />
        </div>
      )}
    </div>
  )
}
