import type { ReactNode } from 'react'
import bloom from '#lib/art/kolam-bloom.svg?url'
import { Button } from './Button.tsx'

export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <Kolam className="h-32 w-32" />
      <p className="text-balance font-serif text-xl font-semibold">{text}</p>
      {children}
    </div>
  )
}

/** Same drawing as components/Kolam.astro. */
export function Kolam({ className }: { className: string }) {
  return (
    <img
      src={bloom}
      alt=""
      width="150"
      height="150"
      loading="lazy"
      decoding="async"
      className={className}
    />
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
          <Button label="Try again" onClick={onRetry} />
        </div>
      )}
    </div>
  )
}
