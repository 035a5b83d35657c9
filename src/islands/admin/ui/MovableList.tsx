import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '#lib/contract/texts.ts'
import { IconButton } from '../../ui/Button.tsx'

interface MovableListProps<Item extends { id: string }> {
  label: string
  items: readonly Item[]
  getName: (item: Item) => string
  onOrder: (ids: string[]) => void
  children: (item: Item) => ReactNode
  onRemove?: (item: Item) => void
  actions?: (item: Item) => ReactNode
}

export function MovableList<Item extends { id: string }>(props: MovableListProps<Item>) {
  const { label, items, getName, onOrder, onRemove, children, actions } = props
  const list = useRef<HTMLOListElement>(null)
  const moved = useRef<{ id: string; offset: -1 | 1 }>(undefined)
  useEffect(() => {
    if (!moved.current) return
    const { id, offset } = moved.current
    focusMoveButton(list.current?.querySelector(`[data-item="${CSS.escape(id)}"]`), offset)
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
      {items.map((item, index) => (
        <li
          key={item.id}
          data-item={item.id}
          className="card flex flex-wrap items-center gap-x-3 gap-y-2 p-3"
        >
          <div className="min-w-0 grow basis-40">{children(item)}</div>
          <div className="flex flex-wrap items-center gap-2">
            <MoveButtons
              name={getName(item)}
              index={index}
              count={items.length}
              onMove={offset => move(index, offset)}
              onRemove={onRemove && (() => onRemove(item))}
            />
            {actions?.(item)}
          </div>
        </li>
      ))}
    </ol>
  )
}

interface MoveButtonsProps {
  name: string
  index: number
  count: number
  onMove?: ((offset: -1 | 1) => void) | undefined
  onRemove?: (() => void) | undefined
}

export function MoveButtons({ name, index, count, onMove, onRemove }: MoveButtonsProps) {
  const look = 'border border-ink/30 bg-paper hover:bg-cream disabled:text-ink/30'
  const move = (icon: 'up' | 'down', offset: -1 | 1) =>
    onMove && (
      <IconButton
        icon={icon}
        label={t(icon === 'up' ? 'Move {name} up' : 'Move {name} down', { name })}
        data-move={offset}
        className={look}
        disabled={index + offset < 0 || index + offset >= count}
        onClick={() => onMove(offset)}
      />
    )
  return (
    <>
      {move('up', -1)}
      {move('down', 1)}
      {onRemove && (
        <IconButton
          icon="close"
          label={t('Remove {name}', { name })}
          className={look}
          onClick={onRemove}
        />
      )}
    </>
  )
}

/** At the end of the list, the button of the other direction. */
export function focusMoveButton(entry: Element | null | undefined, offset: -1 | 1): void {
  const find = (selector: string) => entry?.querySelector<HTMLElement>(`${selector}:not(:disabled)`)
  const target = find(`[data-move="${offset}"]`) ?? find('[data-move]')
  target?.focus()
}
