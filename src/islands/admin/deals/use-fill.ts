import type { RefObject } from 'react'
import { fieldOf } from '../../form/form-fields.ts'

export function useFill<Name extends string>(form: RefObject<HTMLFormElement | null>, onInput: () => void) {
  return (values: Partial<Record<Name, string>>): void => {
    for (const [name, value] of Object.entries<string | undefined>(values)) {
      const field = fieldOf(form.current, name)
      if (field && value !== undefined) field.value = value
    }
    onInput()
  }
}
