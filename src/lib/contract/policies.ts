import * as z from 'zod/mini'
import { SETTING_LIMITS } from '../constants.ts'
import { POLICY_ANSWERS, POLICY_NAMES } from './names.ts'
import { optionalText, translatable } from './values.ts'

/** The answers from which the shop writes its policies. */
export const PoliciesSection = z.object({
  dispatchDays: z.enum(POLICY_ANSWERS.dispatchDays),
  cancel: z.enum(POLICY_ANSWERS.cancel),
  broken: z.enum(POLICY_ANSWERS.broken),
  refundDays: z.enum(POLICY_ANSWERS.refundDays),
  /** If empty, as the section `delivery` says. */
  delivers: z.enum(POLICY_ANSWERS.delivers)
})

export const policyTexts = {
  description: optionalText(SETTING_LIMITS.text),
  /** Markdown with placeholders such as `{phone}`. If empty, made from the answers. */
  text: optionalText(SETTING_LIMITS.policy)
}
export const PolicySection = translatable(policyTexts)
export type OurPolicies = z.infer<typeof OurPolicies>
/** `own` is the text that the owner has written instead, or ''. */
export const OurPolicies = z.array(
  z.object({ name: z.enum(POLICY_NAMES), text: z.string(), own: z.string() })
)
