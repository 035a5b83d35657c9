const COMMON_DOMAINS = [
  'gmail.com',
  'yahoo.com',
  'yahoo.co.in',
  'yahoo.in',
  'hotmail.com',
  'outlook.com',
  'rediffmail.com',
  'icloud.com',
  'protonmail.com',
  'zohomail.in'
]
/** These differ by one letter from a common domain, but people do have addresses there. */
const SIMILAR_DOMAINS = ['ymail.com', 'mail.com', 'email.com', 'zohomail.com']

/** 'priya@gmail.com' for 'priya@gmial.com' */
export function suggestEmail(typed: string): string | undefined {
  const [, name, domain = ''] = /^(.+@)([^@]+)$/.exec(typed.trim().toLowerCase()) ?? []
  if (name === undefined || [...COMMON_DOMAINS, ...SIMILAR_DOMAINS].includes(domain))
    return undefined
  const meant = COMMON_DOMAINS.find(known => isOneTypoOff(domain, known))
  return meant && `${name}${meant}`
}

function isOneTypoOff(typed: string, meant: string): boolean {
  let at = 0
  while (at < meant.length && typed[at] === meant[at]) at++
  const [typedRest, meantRest] = [typed.slice(at), meant.slice(at)]
  const isSwapped = typedRest[0] === meantRest[1] && typedRest[1] === meantRest[0]
  return (
    typedRest.slice(1) === meantRest.slice(1) ||
    typedRest.slice(1) === meantRest ||
    typedRest === meantRest.slice(1) ||
    (isSwapped && typedRest.slice(2) === meantRest.slice(2))
  )
}
