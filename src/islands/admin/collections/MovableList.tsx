import { useEffect, useRef, type ReactNode } from 'react'
import { IconButton } from '../../ui/Button.tsx'

interface MovableListProps<Item extends { id: string }> {
  label: string
  items: readonly Item[]
  getName: (item: Item) => string
  onOrder: (ids: string[]) => void
  children: (item: Item) => ReactNode
  actions?: (item: Item) => ReactNode
}

const BUTTON = 'border border-ink/30 bg-paper hover:bg-cream disabled:text-ink/30'

/** A list whose items can be moved up and down. The focus stays on the item's button. */
export function MovableList<Item extends { id: string }>(props: MovableListProps<Item>) {
  const { label, items, getName, onOrder, children, actions } = props
  const list = useRef<HTMLOListElement>(null)
  const moved = useRef<{ id: string; offset: number }>(undefined)
  useEffect(() => {
    if (!moved.current) return
    const { id, offset } = moved.current
    const buttons = [
      ...(list.current?.querySelectorAll<HTMLButtonElement>(`[data-item="${CSS.escape(id)}"] [data-move]`) ?? [])
    ].filter(button => !button.disabled)
    const target = buttons.find(({ dataset }) => dataset['move'] === String(offset)) ?? buttons[0]
    target?.focus()
    moved.current = undefined
  })

  const move = (index: number, offset: -1 | 1) => {
    const ids = items.map(({ id }) => id)
    const [id = ''] = ids.splice(index, 1)
    moved.current = { id, offset }
    onOrder(ids.toSpliced(index + offset, 0, id))
  }

  return (
    <ol ref={list} aria-label={label} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {items.map((item, index) => {
        const name = getName(item)
        return (
          <li key={item.id} data-item={item.id} className="card flex flex-wrap items-center gap-x-3 gap-y-2 p-3">
            <div className="min-w-0 grow basis-40">{children(item)}</div>
            <div className="flex flex-wrap items-center gap-2">
              <IconButton
                icon="up"
                label={`Move ${name} up`}
                data-move={-1}
                className={BUTTON}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <IconButton
                icon="down"
                label={`Move ${name} down`}
                data-move={1}
                className={BUTTON}
                disabled={index === items.length - 1}
                onClick={() => move(index, 1)}
              />
              {actions?.(item)}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
