import { useEffect, useRef, type ReactNode } from 'react'
import { ViewLink } from './ViewLink.tsx'

interface DetailViewProps {
  /** The list that it leads back to: 'All products'. */
  back: string
  title: string
  children: ReactNode
}

/** One thing of a list; the focus goes to what it is called. */
export function DetailView({ back, title, children }: DetailViewProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <p>
        <ViewLink query="" className="link target">
          ← {back}
        </ViewLink>
      </p>
      <h2 ref={heading} tabIndex={-1} className="mb-4 break-words text-xl outline-none">
        {title}
      </h2>
      {children}
    </>
  )
}
