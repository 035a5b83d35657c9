import { useId, useRef, useState, type FocusEvent, type SubmitEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Problems } from '#lib/account/forms.ts'
import { cleanField } from '#lib/account/clean-field.ts'
import type { ShopError } from '#lib/errors.ts'
import { useAttempt, type ErrorText } from './hooks.ts'

export interface FormRules<Name extends string> {
  names: readonly Name[]
  initial?: Readonly<Record<Name, string>>
  check: (values: Record<Name, string>) => Problems<Name>
  send: (values: Record<Name, string>) => Promise<void>
  errorText: ErrorText
  /** If undefined, the fields in `error.fields` show their errors. */
  fieldForError?: (error: ShopError) => Name | undefined
  summary?: () => HTMLElement | null
  /** If the form is still there after `send`. */
  onDone?: (() => void) | undefined
  /** A failure after the user has left the form, which can't show it. */
  onMissed?: ((error: ShopError) => void) | undefined
}

export interface FieldState {
  name: string
  id: string
  invalid: boolean
  /** Only on the first of several fields with the same problem. */
  problem: string | undefined
  describedBy: string
  initial?: string | undefined
}

/** Uncontrolled, so that text typed before hydration stays. Cleans on blur. */
export function useForm<Name extends string>(rules: FormRules<Name>) {
  const { names, initial, check, send, errorText, fieldForError, summary, onMissed } = rules
  const form = useRef<HTMLFormElement>(null)
  const { showProblems, recheck, getProblem } = useProblems(names, ([name = '', ...others]) => {
    const summaryElement = others.length > 0 ? summary?.() : undefined
    const control = fieldOf(form.current, name) ?? findControl(form.current, name)
    control?.closest('details')?.setAttribute('open', '')
    if (summaryElement) summaryElement.focus()
    else control?.focus()
  })
  const values = () => valuesOf(form.current, names)

  const { busy, failure, run } = useAttempt(errorText, error => {
    if (!form.current && onMissed) {
      onMissed(error)
      return true
    }
    const fieldName = fieldForError?.(error)
    const serverErrors = names.flatMap(name =>
      error.fields?.[name] ? [[name, error.fields[name]]] : []
    )
    const found = fieldName ? [[fieldName, error.message]] : serverErrors
    const isShown = showProblems(Object.fromEntries(found) as Problems<Name>)
    // The disabled submit button, perhaps outside the form, has lost the focus.
    const buttons = Array.from(form.current?.elements ?? []).filter(element =>
      element.matches('[type=submit]')
    )
    if (!isShown && document.activeElement === document.body)
      (buttons[0] as HTMLElement | undefined)?.focus()
    return isShown
  })

  const sendAll = async () => {
    await send(values())
    if (form.current) rules.onDone?.()
  }

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    for (const name of names) cleanField(fieldOf(form.current, name))
    if (!showProblems(check(values()))) void run(sendAll)
  }

  return {
    form: {
      ref: form,
      noValidate: true,
      // 'get' would put the fields into the URL before hydration.
      method: 'post',
      onSubmit: submit,
      onInput: () => recheck(() => check(values())),
      onBlur: ({ target }: FocusEvent) => cleanField(target)
    } as const,
    busy,
    failure,
    run,
    showProblems,
    field: (name: Name): FieldState => ({ ...getProblem(name), name, initial: initial?.[name] }),
    values
  }
}

function useProblems<Name extends string>(
  names: readonly Name[],
  focus: (invalid: readonly Name[]) => void
) {
  const id = useId()
  const [problems, setProblems] = useState<Problems<Name>>({})

  return {
    showProblems: (found: Problems<Name>): boolean => {
      flushSync(() => setProblems(found))
      const invalid = names.filter(name => found[name] !== undefined)
      if (invalid.length > 0) focus(invalid)
      return invalid.length > 0
    },
    recheck: (check: () => Problems<Name>): void => {
      const invalid = names.filter(name => problems[name] !== undefined)
      if (invalid.length === 0) return
      const found = check()
      const remaining = invalid.flatMap(name =>
        found[name] === undefined ? [] : [[name, found[name]]]
      )
      setProblems(Object.fromEntries(remaining) as Problems<Name>)
    },
    getProblem: (name: Name) => {
      const text = problems[name]
      const first = names.find(other => problems[other] === text) ?? name
      return {
        id: `${id}${name}`,
        invalid: text !== undefined,
        problem: first === name ? text : undefined,
        describedBy: `${id}${text === undefined ? name : first}-problem`
      }
    }
  }
}

export type Form = HTMLFormElement | null
type FormField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export function valuesOf<Name extends string>(
  form: Form,
  names: readonly Name[]
): Record<Name, string> {
  return Object.fromEntries(names.map(name => [name, valueOf(fieldOf(form, name))])) as Record<
    Name,
    string
  >
}

/** A box that is not ticked has no value. */
function valueOf(field: FormField | undefined) {
  const isBox = field instanceof HTMLInputElement && field.type === 'checkbox'
  return isBox && !field.checked ? '' : (field?.value ?? '')
}

export function fillFields(form: Form, values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    const field = fieldOf(form, name)
    if (field && value !== undefined) field.value = value
  }
}

export function fieldOf(form: Form, name: string): FormField | undefined {
  const field = form?.elements.namedItem(name)
  const types = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement]
  return types.some(type => field instanceof type) ? (field as FormField) : undefined
}

/** For composed fields. */
function findControl(form: Form, name: string): HTMLElement | null | undefined {
  return form?.querySelector<HTMLElement>(`[data-field="${name}"]`)
}
