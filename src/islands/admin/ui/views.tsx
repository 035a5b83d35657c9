import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef
} from 'react'
import type { Choices } from '#lib/account/forms.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { t } from '#lib/contract/texts.ts'
import { $may } from '#lib/stores/admin/access.ts'
import type { LoadState } from '#lib/stores/load-state.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Options } from '../../ui/Field.tsx'
import { LoadFailed, Loading } from '../../ui/States.tsx'
import { pushQuery, toQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'

/** Stands for a new record in the URL. Real ids begin with a letter or digit. */
export const NEW_ID = '+'

/** A link that shows another view without a page load. An empty query is the list. */
export function viewLink(params: string | Readonly<Record<string, string>>) {
  const query = typeof params === 'string' ? params : toQuery(params)
  return {
    href: query || '?',
    onClick: (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      pushQuery(query)
    }
  }
}

/** What the logged-in user may call. */
export function useMay() {
  return useStore($may)
}

type BackLinkProps = { to: string } & Partial<ReturnType<typeof viewLink>>

/** On phones, `AdminFrame` hides the title of the section while a page has this link. */
export function BackLink({ to, ...link }: BackLinkProps) {
  return (
    <p data-back>
      <ButtonLink look="link" label={`← ${to}`} {...link} />
    </p>
  )
}

interface ViewHeadingProps {
  back: BackLinkProps
  title: ReactNode
  /** Of the page on the website that shows this. */
  path?: string | false | undefined
}

/** In one line, so that a form begins near the top of a phone. */
export function ViewHeading({ back: { to, ...link }, title, path = false }: ViewHeadingProps) {
  const label = (
    <>
      ← <span className="max-sm:sr-only">&nbsp;{to}</span>
    </>
  )
  return (
    <div data-back className="mb-2 flex items-center gap-x-2 sm:gap-x-4 lg:mb-4">
      <ButtonLink look="link" label={label} className="shrink-0" {...link} />
      <div className="min-w-0 grow">
        <FocusedHeading>{title}</FocusedHeading>
      </div>
      {path !== false && (
        <ButtonLink
          look="link"
          label={t('View')}
          aria-label={t('View on the website')}
          href={path}
        />
      )}
    </div>
  )
}

let lastOpenedQuery: string | undefined

/** Takes the focus, which a click on a link within the page does not move. */
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

/** Back in a list, focuses the link of the view that was open, or `fallback`. */
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

interface LoadedProps<Value> {
  state: LoadState<Value>
  /** As in 'Loading users…'. */
  label: string
  rows?: number
  failedText?: string
  onRetry: () => unknown
  children: (value: Value) => ReactNode
}

export function Loaded<Value>(props: LoadedProps<Value>) {
  const { state, label, rows = 4, failedText = ADMIN_MESSAGES.loadFailed, onRetry } = props
  if (state.state === 'loading')
    return <Loading text={t('Loading {things}…', { things: label })} rows={rows} />
  if (state.state === 'ready') return props.children(state.value)
  return <LoadFailed text={`${failedText} ${state.error.message}`} onRetry={() => void onRetry()} />
}

interface LoadProps<Value> extends Pick<LoadedProps<Value>, 'label' | 'rows'> {
  id?: string
  read: () => Promise<Value>
  children: (value: Value, reload: () => Promise<void>) => ReactNode
}

export function Load<Value>({ id = '', read, children, ...props }: LoadProps<Value>) {
  const [state, reload] = useLoad(id, read)
  return (
    <Loaded state={state} onRetry={reload} {...props}>
      {value => children(value, reload)}
    </Loaded>
  )
}

interface LoadedStoreProps<Value> extends Pick<LoadedProps<Value>, 'label' | 'children'> {
  store: ReadableAtom<LoadState<Value>>
  load: () => Promise<void>
}

export function LoadedStore<Value>({ store, load, ...props }: LoadedStoreProps<Value>) {
  const state = useStore(store)
  useEffect(() => void load(), [load])
  return <Loaded state={state} onRetry={load} {...props} />
}

interface CardProps {
  id: string
  title: ReactNode
  className?: string
  children: ReactNode
}

export function Card({ id, title, className = 'p-4', children }: CardProps) {
  return (
    <section aria-labelledby={id} className={`card ${className}`}>
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      {children}
    </section>
  )
}

export function Note({ lang, children }: { lang?: string | undefined; children: ReactNode }) {
  return (
    <span lang={lang} className="block break-words text-sm font-normal text-ink/70">
      {children}
    </span>
  )
}

/** Browsers offer the clipboard only on HTTPS pages and on localhost. */
interface LabelledInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string
  onType: (text: string) => void
}

export function LabelledInput({ label, onType, ...input }: LabelledInputProps) {
  return (
    <label className="font-semibold">
      {label}
      <input
        className="field font-normal"
        onChange={({ target }) => onType(target.value)}
        {...input}
      />
    </label>
  )
}

interface LabelledSelectProps extends Pick<LabelledInputProps, 'label' | 'onType'> {
  value: string
  choices: Choices
}

export function LabelledSelect({ label, value, choices, onType }: LabelledSelectProps) {
  return (
    <label className="font-semibold">
      {label}
      <select
        className="field font-normal"
        value={value}
        onChange={({ target }) => onType(target.value)}
      >
        <Options choices={choices} />
      </select>
    </label>
  )
}
