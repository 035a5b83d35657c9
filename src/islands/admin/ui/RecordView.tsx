import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { ButtonLink } from '../../ui/Button.tsx'
import { viewLink } from './list-query.ts'

/**
 * The id of a new record in the URL. It is never a real id, because real ids begin with a letter or
 * digit.
 */
export const NEW_ID = '+'

export function BackLink({ noun, listQuery = '' }: { noun: string; listQuery?: string }) {
  return (
    <p>
      <ButtonLink look="link" label={`← All ${noun}s`} {...viewLink(listQuery)} />
    </p>
  )
}

let lastOpenedQuery: string | undefined

/**
 * Takes the focus when it appears, because a click on a link within the page does not move the
 * focus.
 */
export function FocusedHeading({ id, children }: { id?: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    lastOpenedQuery = location.search
  }, [])
  return (
    <h2 ref={heading} id={id} tabIndex={-1} className="break-words text-xl outline-none">
      {children}
    </h2>
  )
}

/**
 * When the user returns to a list, focuses the link of the view that was open, or `fallback` if the
 * link is gone.
 */
export function useReturnFocus(fallback?: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (lastOpenedQuery === undefined) return
    const link = document.querySelector<HTMLElement>(`a[href="${CSS.escape(lastOpenedQuery)}"]`)
    const target = link ?? fallback?.current
    target?.focus()
    // A list that appears once more, for example after a search, must not take the focus.
    lastOpenedQuery = undefined
  }, [])
}

export function WebsiteLink({ path }: { path: string }) {
  return (
    <p className="mb-4">
      <ButtonLink look="link" label="View on the website" href={path} />
    </p>
  )
}
