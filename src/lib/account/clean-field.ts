import { normalizeEmail, toOneLine, toPhoneText } from '../contract/formats.ts'

const CLEANERS: Partial<Record<string, (typed: string) => string>> = {
  text: toOneLine,
  email: normalizeEmail,
  tel: toPhoneText,
  password: typed => typed.trim()
}

/** Only after the typing, to allow spaces. */
export function cleanField(field: EventTarget | null | undefined): void {
  if (!(field instanceof HTMLInputElement)) return
  const cleaned = CLEANERS[field.type]?.(field.value) ?? field.value
  if (cleaned !== field.value) field.value = cleaned
}
