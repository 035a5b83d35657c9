import { useId, useRef, useState, type FocusEvent, type SubmitEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Problems } from '#lib/account-forms.ts'
import type { ShopError } from '#lib/shop-error.ts'
import { fieldOf, trim, valuesOf } from './form-fields.ts'
import { useAttempt, type ErrorText } from './use-attempt.ts'

interface FormRules<Name extends string> {
  /** The fields, in their order on the page. */
  names: readonly Name[]
  check: (values: Record<Name, string>) => Problems<Name>
  send: (values: Record<Name, string>) => Promise<void>
  errorText: ErrorText
  /** Which field a refusal speaks of, when the shop names none. */
  fieldForError?: (error: ShopError) => Name | undefined
  /** Where the focus goes when several fields are wrong, rather than to the first of them. */
  summary?: () => HTMLElement | null
}

/** What a field must know to say what is wrong with it. */
export interface FieldState {
  name: string
  id: string
  invalid: boolean
  /** Said under this field; a text that several share is said once, under the first of them. */
  problem: string | undefined
  /** The id of the element that says it. */
  describedBy: string
}

/**
 * A form that accuses nobody while typing: fields are checked on submit, and those that were wrong again at each keystroke
 * until they are right. They are trimmed when they are left and when they are sent; nobody could type "Anita Kumar" into one
 * that is trimmed at each keystroke. The fields keep their own values, so that nothing typed before the page came to life
 * is lost.
 */
export function useForm<Name extends string>({
  names,
  check,
  send,
  errorText: failed,
  fieldForError: placeOf,
  summary
}: FormRules<Name>) {
  const form = useRef<HTMLFormElement>(null)
  const {
    showProblems: showProblems,
    recheck,
    field
  } = useProblems(names, ([name = '', ...others]) => {
    const list = others.length > 0 ? summary?.() : undefined
    if (list) list.focus()
    else fieldOf(form.current, name)?.focus()
  })
  const values = () => valuesOf(form.current, names)

  const { busy, failure, run } = useAttempt(failed, error => {
    const place = placeOf?.(error)
    const known = names.flatMap(name => (error.fields?.[name] ? [[name, error.fields[name]]] : []))
    const accused = showProblems(Object.fromEntries(place ? [[place, error.message]] : known) as Problems<Name>)
    // Fields and buttons that were disabled meanwhile have lost the focus.
    if (!accused && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
    return accused
  })

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    for (const name of names) trim(fieldOf(form.current, name))
    if (!showProblems(check(values()))) void run(() => send(values()))
  }

  return {
    form: {
      ref: form,
      noValidate: true,
      // A form that is sent before the page came to life must not put its fields into the address.
      method: 'post',
      onSubmit: submit,
      onInput: () => recheck(() => check(values())),
      onBlur: ({ target }: FocusEvent) => trim(target)
    } as const,
    ...{ busy, failure, run, showProblems: showProblems, field, values }
  }
}

function useProblems<Name extends string>(names: readonly Name[], focus: (wrong: readonly Name[]) => void) {
  const id = useId()
  const [problems, setProblems] = useState<Problems<Name>>({})

  return {
    /** Says what is wrong and goes there; answers whether anything is. */
    showProblems: (found: Problems<Name>): boolean => {
      flushSync(() => setProblems(found))
      const wrong = names.filter(name => found[name] !== undefined)
      if (wrong.length > 0) focus(wrong)
      return wrong.length > 0
    },
    /** Leaves of the fields that were wrong those that still are. */
    recheck: (check: () => Problems<Name>): void => {
      const accused = names.filter(name => problems[name] !== undefined)
      if (accused.length === 0) return
      const found = check()
      const left = accused.flatMap(name => (found[name] === undefined ? [] : [[name, found[name]]]))
      setProblems(Object.fromEntries(left) as Problems<Name>)
    },
    field: (name: Name): FieldState => {
      const text = problems[name]
      const first = names.find(other => problems[other] === text) ?? name
      return {
        name,
        id: `${id}${name}`,
        invalid: text !== undefined,
        problem: first === name ? text : undefined,
        describedBy: `${id}${text === undefined ? name : first}-problem`
      }
    }
  }
}
