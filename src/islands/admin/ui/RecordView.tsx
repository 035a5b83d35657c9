import { Fragment, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { AlertState } from '../../ui/Loading.tsx'
import { pushQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { ChangeHistory, type ChangeHistoryProps } from './ChangeHistory.tsx'
import { Loaded } from './Loaded.tsx'
import { viewLink } from './list-query.ts'

/** The id of a new record in the URL. It is never a real id, because real ids begin with a letter or digit. */
export const NEW_ID = '+'

export function BackLink({ noun, listQuery = '' }: { noun: string; listQuery?: string }) {
  return (
    <p>
      <ButtonLink look="link" label={`← All ${noun}s`} {...viewLink(listQuery)} />
    </p>
  )
}

let lastOpenedQuery: string | undefined

/** Takes the focus when it appears, because a click on a link within the page does not move the focus. */
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

/** When the user returns to a list, focuses the link of the view that was open, or `fallback` if the link is gone. */
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

const NOUNS = {
  product: 'product',
  post: 'post',
  collection: 'collection',
  deal: 'flash deal',
  coupon: 'coupon'
} as const

interface RecordViewProps<Item> {
  id: string
  kind: keyof typeof NOUNS
  read: (id: string) => Promise<Item>
  getTitle: (item: Item) => string
  /** Returns the record's page on the website, or false if it has none. */
  getPath?: (item: Item) => string | false
  history?: Pick<ChangeHistoryProps, 'labels' | 'format'>
  /** Renders the buttons below the history. */
  actions?: (item: Item) => ReactNode
  /** `item` is undefined for a new record. `reset` renders the children again, with `theirs` instead of `item`. */
  children: (item: Item | undefined, reset: (theirs?: Item) => void) => ReactNode
}

export function RecordView<Item>(props: RecordViewProps<Item>) {
  const { id, kind, read, getTitle, getPath, history, actions, children } = props
  const [result, reload] = useLoad(id, async () => (id === NEW_ID ? undefined : await read(id)))
  const [{ count, theirs }, setReset] = useState<{ count: number; theirs?: Item | undefined }>({ count: 0 })
  const noun = NOUNS[kind]
  const item = theirs ?? (result.state === 'ready' ? result.value : undefined)
  const defaultTitle = id === NEW_ID ? `New ${noun}` : noun.replace(/^./, letter => letter.toUpperCase())
  const path = item && getPath?.(item)
  const isDeleted = result.state === 'failed' && result.error.status === 404
  return (
    <>
      <BackLink noun={noun} />
      <div className="mb-4">
        <FocusedHeading key={item ? 'loaded' : 'none'}>{item ? getTitle(item) : defaultTitle}</FocusedHeading>
      </div>
      {isDeleted ? (
        <AlertState text={ADMIN_MESSAGES[`${kind}NotFound`]}>
          <Button look="primary" label={`All ${noun}s`} onClick={() => pushQuery('')} />
        </AlertState>
      ) : (
        <Loaded state={result} label={noun} onRetry={reload}>
          {() => (
            <Fragment key={count}>
              {path && <WebsiteLink path={path} />}
              {children(item, next => setReset({ count: count + 1, theirs: next ?? theirs }))}
              {item && history && (
                <div className="mt-8 pb-4">
                  <ChangeHistory kinds={kind === 'product' ? ['product', 'stock'] : [kind]} id={id} {...history}>
                    {actions?.(item)}
                  </ChangeHistory>
                </div>
              )}
            </Fragment>
          )}
        </Loaded>
      )}
    </>
  )
}

export function WebsiteLink({ path }: { path: string }) {
  return (
    <p className="mb-4">
      <ButtonLink look="link" label="View on the website" href={path} />
    </p>
  )
}
