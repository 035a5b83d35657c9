import { Fragment, useState, type ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { AlertState } from '../../ui/States.tsx'
import { pushQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { ChangeHistory, type ChangeHistoryProps } from './ChangeHistory.tsx'
import { Loaded } from './Loaded.tsx'
import { BackLink, FocusedHeading, NEW_ID, WebsiteLink } from './views.tsx'

const NOUNS = {
  product: 'product',
  post: 'post',
  collection: 'collection',
  deal: 'flash deal',
  coupon: 'coupon'
} as const

interface RecordEditorProps<Item> {
  id: string
  kind: keyof typeof NOUNS
  read: (id: string) => Promise<Item>
  getTitle: (item: Item) => string
  getPath?: (item: Item) => string | false
  /** Says how the history names and formats the fields. Without it, there is no history. */
  form?: Pick<ChangeHistoryProps, 'labels' | 'format'>
  actions?: (item: Item) => ReactNode
  /** `reset` renders the children again, with `theirs` instead of `item`. */
  children: (item: Item | undefined, reset: (theirs?: Item) => void) => ReactNode
}

export function RecordEditor<Item>(props: RecordEditorProps<Item>) {
  const { id, kind, read, getTitle, getPath, form, actions, children } = props
  const [result, reload] = useLoad(id, async () => (id === NEW_ID ? undefined : await read(id)))
  const { count, theirs, onReset } = useReset<Item>()
  const noun = NOUNS[kind]
  const item = theirs ?? (result.state === 'ready' ? result.value : undefined)
  const defaultTitle =
    id === NEW_ID ? `New ${noun}` : noun.replace(/^./, letter => letter.toUpperCase())
  const path = item && getPath?.(item)
  const isDeleted = result.state === 'failed' && result.error.replyStatus === 404
  return (
    <>
      <BackLink noun={noun} />
      <div className="mb-4">
        <FocusedHeading key={item ? 'loaded' : 'none'}>
          {item ? getTitle(item) : defaultTitle}
        </FocusedHeading>
      </div>
      {isDeleted ? (
        <AlertState text={`This ${noun} no longer exists.`}>
          <Button look="primary" label={`All ${noun}s`} onClick={() => pushQuery('')} />
        </AlertState>
      ) : (
        <Loaded state={result} label={noun} onRetry={reload}>
          {() => (
            <Fragment key={count}>
              {path && <WebsiteLink path={path} />}
              {children(item, onReset)}
              {item && form && (
                <div className="mt-8 pb-4">
                  <ChangeHistory
                    kinds={kind === 'product' ? ['product', 'stock'] : [kind]}
                    id={id}
                    labels={form.labels}
                    {...(form.format && { format: form.format })}
                  >
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

/** A new `count` shows a new form, which begins with `theirs` after an edit conflict. */
export function useReset<Item>() {
  const [reset, setReset] = useState<{ count: number; theirs?: Item | undefined }>({ count: 0 })
  const onReset = (theirs = reset.theirs) => setReset({ count: reset.count + 1, theirs })
  return { ...reset, onReset }
}
