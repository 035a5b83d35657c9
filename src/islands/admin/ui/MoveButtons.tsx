import { IconButton } from '../../ui/Button.tsx'

interface MoveButtonsProps {
  /** For example 'picture 1 of 3'. */
  name: string
  index: number
  count: number
  onMove?: ((offset: -1 | 1) => void) | undefined
  onRemove?: (() => void) | undefined
}

/** The buttons of an entry in a list. `data-move` helps to find the button that keeps the focus. */
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
      {onRemove && <IconButton icon="close" label={`Remove ${name}`} className={look} onClick={onRemove} />}
    </>
  )
}
