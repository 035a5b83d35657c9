import * as z from 'zod/mini'
import type { Notes } from './entities.ts'
import { Refusal } from './refusal.ts'

const MAX_NOTES = 15

export const amount = z.int(requiredError('amount', 'The amount must be an integer.'))
export const currency = z.literal('INR', requiredError('currency', 'Currency is not supported'))
export const receipt = z
  .string('The receipt must be a string.')
  .check(z.maxLength(40, 'The receipt may not be greater than 40 characters.'))

const note = z.pipe(
  z.union([z.string(), z.number(), z.boolean()]),
  z.transform((value): string => String(value))
)
const pairs = z.record(z.string(), note).check(
  z.refine(
    found => Object.keys(found).length <= MAX_NOTES,
    `Number of fields in notes should be less than or equal to ${MAX_NOTES}`
  ),
  z.refine(
    found => Object.values(found).every(value => value.length <= 256),
    'The notes may not be greater than 256 characters.'
  )
)

/** Razorpay sends and accepts an empty array if there are no notes. */
export const notes = z.pipe(
  z.union([pairs, z.array(z.never())]),
  z.transform((found): Notes => (Array.isArray(found) || Object.keys(found).length === 0 ? [] : found))
)

/** Throws Refusal. */
export function read<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.infer<Schema> {
  const found = z.safeParse(schema, body ?? {})
  if (found.success) return found.data
  const [issue] = found.error.issues
  const field = issue?.path.join('.')
  if (issue?.code === 'unrecognized_keys') {
    throw new Refusal(`${issue.keys.join(', ')} is/are not required and should not be sent`)
  }
  throw new Refusal(issueMessage(issue) || `The ${field} is invalid.`, field ? { field } : {})
}

// For a union, zod reports the issues of each member.
function issueMessage(issue: z.core.$ZodIssue | undefined): string | undefined {
  const first = issue?.code === 'invalid_union' ? issue.errors.flat().find(({ code }) => code === 'custom') : undefined
  return first?.message ?? (issue?.message === 'Invalid input' ? undefined : issue?.message)
}

function requiredError(field: string, otherwise: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? `The ${field} field is required.` : otherwise) }
}
