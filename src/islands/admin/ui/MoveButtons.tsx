import { IconButton } from '../../ui/Button.tsx'

interface MoveButtonsProps {
  /** For example 'picture 1 of 3'. */
  name: string
  index: number
  count: number
  onMove?: ((offset: -1 | 1) => void) | undefined
  onRemove?: (() => void) | undefined
}

/** The buttons of an entry in a list. `data-move` is for `focusMoveButton`. */
export function MoveButtons({ name, index, count, onMove, onRemove }: MoveButtonsProps) {
  const look = 'border border-ink/30 bg-paper hover:bg-cream disabled:text-ink/30'
  const move = (icon: 'up' | 'down', offset: -1 | 1) =>
    onMove && (
      <IconButton
        icon={icon}
        label={`Move ${name} ${icon}`}
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
        <IconButton icon="close" label={`Remove ${name}`} className={look} onClick={onRemove} />
      )}
    </>
  )
}

/**
 * Focuses the button for the same direction after a move, or the other one at the end of the list.
 */
export function focusMoveButton(entry: Element | null | undefined, offset: -1 | 1): void {
  const find = (selector: string) => entry?.querySelector<HTMLElement>(`${selector}:not(:disabled)`)
  const target = find(`[data-move="${offset}"]`) ?? find('[data-move]')
  target?.focus()
}
