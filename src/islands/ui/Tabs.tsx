import { useRef, type KeyboardEvent, type ReactNode } from 'react'

interface TabsProps<Id extends string> {
  label: string
  tabs: readonly { id: Id; label: string; panel: ReactNode }[]
  selected: Id
  onSelect: (id: Id) => void
}

/** All panels stay mounted, so that a hidden panel keeps what the user typed. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null)

  const onKeyDown = (event: KeyboardEvent) => {
    const selectedIndex = tabs.findIndex(({ id }) => id === selected)
    const targetIndex = {
      ArrowRight: selectedIndex + 1,
      ArrowLeft: selectedIndex - 1,
      Home: 0,
      End: tabs.length - 1
    }[event.key]
    const next =
      targetIndex === undefined ? undefined : tabs[(targetIndex + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    onSelect(next.id)
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus()
  }

  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="flex flex-wrap"
      >
        {tabs.map(tab => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`tab-${tab.id}`}
            aria-selected={tab.id === selected}
            aria-controls={`panel-${tab.id}`}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
            className="min-h-12 flex-1 border-b-4 px-2 text-center border-transparent font-semibold text-ink/70 hover:text-chilli aria-selected:border-turmeric aria-selected:text-chilli"
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map(tab => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`panel-${tab.id}`}
          aria-labelledby={`tab-${tab.id}`}
          hidden={tab.id !== selected}
          className="pt-6"
        >
          {tab.panel}
        </div>
      ))}
    </>
  )
}
