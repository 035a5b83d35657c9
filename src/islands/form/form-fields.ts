type Form = HTMLFormElement | null
export type FormField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Reads the values of the named fields. A missing field has the value ''. */
export function valuesOf<Name extends string>(form: Form, names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map(name => [name, fieldOf(form, name)?.value ?? ''])) as Record<Name, string>
}

export function fieldOf(form: Form, name: string): FormField | undefined {
  const field = form?.elements.namedItem(name)
  const types = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement]
  return types.some(type => field instanceof type) ? (field as FormField) : undefined
}

export function trimField(field: EventTarget | undefined): void {
  if (!(field instanceof HTMLInputElement) || !/^(text|email|tel|password)$/.test(field.type)) return
  const trimmed = field.value.trim()
  if (trimmed !== field.value) field.value = trimmed
}
