import { useEffect, useRef, type ReactNode } from 'react'
import { ViewLink } from './ViewLink.tsx'

interface DetailViewProps {
  backLabel: string
  title: string
  children: ReactNode
}

export function DetailView({ backLabel, title, children }: DetailViewProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <p>
        <ViewLink query="" className="link target">
          ← {backLabel}
        </ViewLink>
      </p>
      <h2 ref={heading} tabIndex={-1} className="mb-4 break-words text-xl outline-none">
        {title}
      </h2>
      {children}
    </>
  )
}
