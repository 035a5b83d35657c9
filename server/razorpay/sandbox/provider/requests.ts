import * as z from 'zod/mini'
import type { Notes } from './entities.ts'
import { RazorpayError } from './errors.ts'

const MAX_NOTES = 15

export const amount = z.int(withErrors('amount', 'The amount must be an integer.'))
export const currency = z.literal('INR', withErrors('currency', 'Currency is not supported'))
export const receipt = z
  .string('The receipt must be a string.')
  .check(z.maxLength(40, 'The receipt may not be greater than 40 characters.'))

const note = z.pipe(
  z.union([z.string(), z.number(), z.boolean()]),
  z.transform((value): string => String(value))
)
const pairs = z.record(z.string(), note).check(
  z.refine(
    fields => Object.keys(fields).length <= MAX_NOTES,
    `Number of fields in notes should be less than or equal to ${MAX_NOTES}`
  ),
  z.refine(
    fields => Object.values(fields).every(value => value.length <= 256),
    'The notes may not be greater than 256 characters.'
  )
)

/** Like Razorpay, accepts and returns an empty array if there are no notes. */
export const notes = z.pipe(
  z.union([pairs, z.array(z.never())]),
  z.transform((value): Notes => (Array.isArray(value) || Object.keys(value).length === 0 ? [] : value))
)

export function parseInput<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = z.safeParse(schema, body ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.')
  if (issue?.code === 'unrecognized_keys') {
    throw new RazorpayError(`${issue.keys.join(', ')} is/are not required and should not be sent`)
  }
  throw new RazorpayError(findMessage(issue) || `The ${field} is invalid.`, field ? { field } : {})
}

// For a union type, zod nests the issues of each member. The first issue from our own checks is the most specific one.
function findMessage(issue: z.core.$ZodIssue | undefined): string | undefined {
  const customIssue =
    issue?.code === 'invalid_union' ? issue.errors.flat().find(({ code }) => code === 'custom') : undefined
  return customIssue?.message ?? (issue?.message === 'Invalid input' ? undefined : issue?.message)
}

function withErrors(field: string, invalidText: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? `The ${field} field is required.` : invalidText) }
}
