import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { GAPS, progressText, SETUP_LABELS } from '#lib/admin/setup.ts'
import type { SetupState } from '#lib/contract/admin.ts'
import { $setup, removeDemoData } from '#lib/stores/setup.ts'
import { ButtonLink, Icon } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { formatCount } from '#lib/messages.ts'

export function SetupList() {
  const setup = useStore($setup)
  if (!setup) return null
  const progress = progressText(setup.rows)
  if (progress === '') {
    return (
      <section className="card mb-6 mt-3 px-4 sm:px-6 [&>details]:border-0">
        <Disclosure title="Set-up checklist: all done">{() => <Rows setup={setup} />}</Disclosure>
      </section>
    )
  }
  return (
    <section aria-labelledby="setup" className="card mb-6 mt-3 p-4 sm:p-6">
      <h2 id="setup" className="text-lg">
        Set up your shop
      </h2>
      <p className="text-ink/70">{progress}</p>
      <Rows setup={setup} />
    </section>
  )
}

function Rows({ setup }: { setup: SetupState }) {
  const list = useRef<HTMLUListElement>(null)
  // The row did not exist yet when the browser looked for the fragment of the address.
  useEffect(() => {
    if (!location.hash.startsWith('#setup')) return
    const row = list.current?.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`)
    const target = row ?? list.current?.closest('section')
    target?.scrollIntoView()
  }, [])
  return (
    <ul ref={list} className="mt-2">
      {setup.rows.map(row => (
        <Row key={row.id} row={row} demo={setup.demo} />
      ))}
    </ul>
  )
}

function Row({
  row: { id, missing },
  demo
}: {
  row: SetupState['rows'][number]
  demo: SetupState['demo']
}) {
  const isDone = missing.length === 0
  const gaps = missing.map(gap => GAPS[gap])
  const link = gaps.find(gap => gap.link)?.link
  const hint = gaps.find(gap => gap.hint)?.hint
  return (
    <li
      id={`setup-${id}`}
      className="flex scroll-mt-20 gap-3 border-t border-brass/30 py-3 first:border-0"
    >
      <span
        className={
          'mt-0.5 grid size-6 shrink-0 place-items-center rounded-full ' +
          `${isDone ? 'bg-leaf text-paper' : 'border border-ink/50'}`
        }
      >
        {isDone && <Icon name="check" className="h-4 w-4" />}
      </span>
      <div className="grid min-w-0 grow gap-2 sm:flex sm:items-start sm:justify-between sm:gap-4">
        <div>
          <b>{SETUP_LABELS[id]}</b>{' '}
          {isDone ? (
            <span className="text-ink/70">Done</span>
          ) : (
            <span className="block">Missing: {gaps.map(({ name }) => name).join(', ')}.</span>
          )}
          {hint && <span className="mt-1 block break-words text-sm text-ink/80">{hint}</span>}
        </div>
        {(link || missing.includes('demoData')) && (
          <div className="flex shrink-0 flex-wrap gap-2">
            {missing.includes('demoData') && <RemoveDemo {...demo} />}
            {link && <ButtonLink {...link} />}
          </div>
        )}
      </div>
    </li>
  )
}

function RemoveDemo({ products, deals, posts, collections, sections }: SetupState['demo']) {
  const counts = Object.entries({
    product: products,
    deal: deals,
    'blog post': posts,
    collection: collections
  })
  const parts = counts.flatMap(([noun, count]) => (count > 0 ? [formatCount(count, noun)] : []))
  if (sections > 0) parts.push('texts of the home page and About us')
  return (
    <ConfirmButton
      label="Remove demo data"
      title="Remove the demo data?"
      confirmLabel="Remove"
      busyLabel="Removing…"
      errorTitle="The demo data could not be removed."
      onConfirm={removeDemoData}
    >
      This removes what came with the demo: {new Intl.ListFormat('en-IN').format(parts)}. What you
      have changed or added stays, and so do all orders. This can’t be undone.
    </ConfirmButton>
  )
}
