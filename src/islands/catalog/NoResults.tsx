import { useEffect, type MouseEvent } from 'react'
import { api } from '#lib/api.ts'
import type { CardProduct } from '#lib/catalog/cards.ts'
import { MAX_MISSED_SEARCH } from '#lib/constants.ts'
import type { SearchData } from '#lib/contract/content.ts'
import { toWhatsAppNumber } from '#lib/contract/formats.ts'
import { rich, t } from '#lib/contract/texts.ts'
import { paths } from '#lib/paths.ts'
import { shorten } from '#lib/product.ts'
import type { Search } from '#lib/search/search.ts'
import { SECOND } from '#lib/time.ts'
import { ButtonLink, WhatsAppLink } from '../ui/Button.tsx'
import type { ProductGrid } from './Results.tsx'

const BESTSELLERS = 4
const REPORT_DELAY = 2 * SECOND

interface NoResultsProps {
  q: string
  products: readonly CardProduct[]
  search: Pick<Search<CardProduct>, 'suggestSpelling'> & { data: SearchData }
  onSearch: (q: string) => void
  /** An import would load the list in two steps. */
  Grid: typeof ProductGrid
}

export function NoResults({
  q,
  products,
  search: { suggestSpelling, data },
  onSearch,
  Grid
}: NoResultsProps) {
  const spelling = suggestSpelling(q)
  useReport(q)
  const openSearch = (event: MouseEvent) => {
    event.preventDefault()
    if (spelling !== undefined) onSearch(spelling)
  }
  return (
    <>
      {spelling !== undefined && (
        <p className="text-lg">
          {rich('Did you mean {word}?', {
            word: (
              <a
                key="word"
                href={`${paths.products}?${new URLSearchParams({ q: spelling })}`}
                className="link target font-semibold"
                onClick={openSearch}
              >
                {spelling}
              </a>
            )
          })}
        </p>
      )}
      <Contact q={q} {...data.contact} />
      <Bestsellers products={products} chosen={data.bestsellers} Grid={Grid} />
    </>
  )
}

function Contact({ q, phone, whatsapp }: SearchData['contact'] & { q: string }) {
  if (phone === '' && toWhatsAppNumber(whatsapp) === '') return null
  const question = t('Vanakkam! I searched for “{q}” and found nothing. Do you make it?', {
    q: shorten(q, MAX_MISSED_SEARCH)
  })
  return (
    <p className="order-last">
      {t('Looking for something special? Ask us:')}{' '}
      <WhatsAppLink phone={whatsapp} message={question} />
      {phone !== '' && (
        <ButtonLink
          look="link"
          className="px-2"
          label={t('Call {phone}', { phone })}
          href={`tel:${phone.replace(/\s/g, '')}`}
        />
      )}
    </p>
  )
}

type BestsellersProps = Pick<NoResultsProps, 'products' | 'Grid'> & { chosen: readonly string[] }

function Bestsellers({ products, chosen, Grid }: BestsellersProps) {
  const inStock = products.filter(({ stock }) => stock !== 'out')
  const own = chosen.flatMap(
    id => inStock.find(product => product.id === id || product.sizes?.includes(id)) ?? []
  )
  const best = own.length > 0 ? [...new Set(own)] : inStock.toSorted((a, b) => b.rating - a.rating)
  if (best.length === 0) return null
  return (
    <section aria-labelledby="bestsellers" className="order-last -mx-4 self-stretch py-4 text-left">
      <h2 id="bestsellers" className="pb-3 text-xl">
        {t('Bestsellers')}
      </h2>
      <Grid found={best.slice(0, BESTSELLERS)} loading={false} filtered />
    </section>
  )
}

const reported = new Set<string>()

function useReport(q: string) {
  useEffect(() => {
    const timer = setTimeout(() => {
      const text = q.slice(0, MAX_MISSED_SEARCH)
      if (reported.has(text) || text.length < 2 || !isByShopper()) return
      reported.add(text)
      void api('POST /search/missed', { body: { text } }).catch(() => undefined)
    }, REPORT_DELAY)
    return () => clearTimeout(timer)
  }, [q])
}

/** False on a page that a mail program or a search engine has opened by its link. */
function isByShopper() {
  const isFromShop = document.referrer.startsWith(`${location.origin}/`)
  return isFromShop || ('userActivation' in navigator && navigator.userActivation.hasBeenActive)
}
