import { readStored, writeStored } from '#lib/stores/storage.ts'

const CHOICE = 'language'
const codeOf = (locale: string): string => locale.slice(0, 2)
const pageLanguage = codeOf(document.documentElement.lang)

/** Undefined if the visitor has chosen no language and reads none of the shop's. */
function findOffer(): HTMLElement | undefined {
  const offers = [...document.querySelectorAll<HTMLElement>('[data-offer]')]
  const wanted = [(readStored(CHOICE) as string | undefined) ?? navigator.languages]
    .flat()
    .map(codeOf)
  const isKnown = (code: string): boolean =>
    code === pageLanguage || offers.some(({ dataset }) => dataset['offer'] === code)
  const best = wanted.find(isKnown)
  return offers.find(({ dataset }) => dataset['offer'] === best)
}

const offer = findOffer()
if (offer) offer.hidden = false
offer?.querySelector('button')?.addEventListener('click', () => {
  writeStored(CHOICE, pageLanguage)
  offer.hidden = true
})

document.addEventListener('click', ({ target }) => {
  const link = (target as Element).closest<HTMLAnchorElement>('a[hreflang]')
  if (!link) return
  writeStored(CHOICE, link.hreflang)
  const { search, hash } = location
  Object.assign(link, { search, hash })
})
