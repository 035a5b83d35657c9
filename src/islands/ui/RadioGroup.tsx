import { useId } from 'react'

interface RadioGroupProps<Id extends string> {
  legend: string
  choices: readonly { id: Id; label: string }[]
  selected: Id
  countResults: (id: Id) => number | undefined
  onSelect: (id: Id) => void
}

export function RadioGroup<Id extends string>({
  legend,
  choices,
  selected,
  countResults,
  onSelect
}: RadioGroupProps<Id>) {
  const name = useId()
  return (
    <fieldset>
      <legend className="font-serif text-lg font-semibold">{legend}</legend>
      {choices.map(({ id, label }) => (
        <label
          key={id}
          className="-mx-2 flex min-h-target cursor-pointer items-center gap-3 rounded-xl px-2 hover:bg-cream-deep"
        >
          <input
            type="radio"
            name={name}
            checked={id === selected}
            onChange={() => onSelect(id)}
            aria-describedby={`${name}-${id}`}
            className="h-5 w-5 accent-chilli"
          />
          {label}
          {/* Hidden from the accessible name, which must stay the same when the count changes. */}
          <span id={`${name}-${id}`} aria-hidden="true" className="ml-auto text-sm text-ink/70">
            {countResults(id)}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
