import { CURRENCY } from '#lib/constants.ts'
import type { Product } from '#lib/contract/catalog.ts'
import type { BlogPost } from '#lib/contract/content.ts'
import { locale } from '#lib/contract/texts.ts'
import type { Shipping } from '#lib/delivery/terms.ts'
import { toFallbackFile, toImageUrl } from '#lib/images.ts'
import { type Picture, toMapPoint } from '#lib/contract/values.ts'
import { PATHS, paths, toCanonicalUrl } from '#lib/paths.ts'
import { formatPack, toStockLevel, toUniqueName } from '#lib/product.ts'
import type { StockLevel } from '#lib/contract/names.ts'
import type { ShopDetails } from '#lib/settings.ts'
import type { Size } from './catalog.ts'
import { hash } from './reads.ts'

const AVAILABILITY: Record<StockLevel, string> = {
  in: 'https://schema.org/InStock',
  low: 'https://schema.org/LimitedAvailability',
  out: 'https://schema.org/OutOfStock'
}

export function organizationData(shop: ShopDetails, site: string): object {
  const { address, phone, email, social } = shop
  const point = toMapPoint(shop.mapPoint)
  const street = [address.street, address.area].filter(Boolean).join(', ')
  const url = toCanonicalUrl(paths.home, site)
  const shopId = `${toCanonicalUrl(PATHS.home, site)}#shop`
  return {
    '@graph': [
      {
        '@type': ['Organization', 'FoodEstablishment'],
        '@id': shopId,
        name: shop.name,
        alternateName: shop.nameTamil || undefined,
        legalName: shop.legalName || undefined,
        description: shop.description || undefined,
        url,
        logo: new URL('/apple-touch-icon.png', site).href,
        telephone: phone || undefined,
        email: email || undefined,
        sameAs: social.map(profile => profile.url),
        ...(address.city && {
          address: {
            '@type': 'PostalAddress',
            streetAddress: street || undefined,
            addressLocality: address.city,
            addressRegion: address.state || undefined,
            postalCode: address.pincode || undefined,
            addressCountry: 'IN'
          }
        }),
        ...(point && { geo: { '@type': 'GeoCoordinates', ...point } })
      },
      {
        '@type': 'WebSite',
        '@id': `${url}#site`,
        inLanguage: locale(),
        name: shop.name,
        url,
        publisher: { '@id': shopId }
      }
    ]
  }
}

interface ProductPage {
  product: Product
  sizes: readonly Size[]
  shop: Pick<ShopDetails, 'name'>
  shipping: Shipping | undefined
  refusesReturns: boolean
  site: string
}

/** Leaves out the rating, because it does not come from customers. */
export function productData(page: ProductPage): object {
  const { product, sizes, shop, shipping, refusesReturns, site } = page
  const { name, family, listPrice } = product
  const image = product.pictures.map(picture => toSharedUrl(picture, site))
  const describe = ({ id, quantity, price, stock }: Size, details: object = {}): object => ({
    '@type': 'Product',
    name: toUniqueName({ name, family, quantity }),
    sku: toOfferId(id),
    size: family && formatPack(quantity),
    image,
    offers: {
      '@type': 'Offer',
      url: toCanonicalUrl(paths.product(id), site),
      price: price.toFixed(2),
      priceCurrency: CURRENCY,
      availability: AVAILABILITY[stock],
      itemCondition: 'https://schema.org/NewCondition',
      ...details
    }
  })
  const offer = {
    priceValidUntil: product.saleTime?.until,
    priceSpecification: listPrice && {
      '@type': 'UnitPriceSpecification',
      priceType: 'https://schema.org/StrikethroughPrice',
      price: listPrice.toFixed(2),
      priceCurrency: CURRENCY
    },
    seller: { '@type': 'Organization', name: shop.name },
    // Of the whole country, because Google knows no regions of India.
    shippingDetails: shipping && {
      '@type': 'OfferShippingDetails',
      shippingRate: { '@type': 'MonetaryAmount', maxValue: shipping.fee, currency: CURRENCY },
      shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'IN' },
      deliveryTime: {
        '@type': 'ShippingDeliveryTime',
        handlingTime: toDays(shipping.handling),
        transitTime: toDays(shipping.transit)
      }
    },
    hasMerchantReturnPolicy: refusesReturns
      ? {
          '@type': 'MerchantReturnPolicy',
          applicableCountry: 'IN',
          returnPolicyCategory: 'https://schema.org/MerchantReturnNotPermitted',
          merchantReturnLink: toCanonicalUrl(paths.refund, site)
        }
      : undefined
  }
  const others = sizes.filter(({ id }) => id !== product.id)
  return {
    ...describe({ ...product, stock: toStockLevel(product.stock) }, offer),
    alternateName: product.nameTamil || undefined,
    description: product.description || undefined,
    brand: { '@type': 'Brand', name: shop.name },
    ...(family &&
      others.length > 0 && {
        isVariantOf: {
          '@type': 'ProductGroup',
          name,
          productGroupID: toOfferId(family.id),
          variesBy: ['https://schema.org/size'],
          hasVariant: others.map(size => describe(size))
        }
      })
  }
}

function toDays([minValue, maxValue]: Shipping['transit']): object {
  return { '@type': 'QuantitativeValue', minValue, maxValue, unitCode: 'DAY' }
}

/** The same in the feed and in pages. Google takes 50 characters. */
export function toOfferId(id: string): string {
  return id.length > 50 ? hash(id) : id
}

export function blogPostData(
  post: BlogPost,
  shop: Pick<ShopDetails, 'name'>,
  site: string
): object {
  return {
    '@type': 'BlogPosting',
    inLanguage: locale(),
    headline: post.title,
    description: post.excerpt,
    datePublished: post.createdAt,
    author: { '@type': 'Person', name: post.author },
    publisher: { '@type': 'Organization', name: shop.name },
    mainEntityOfPage: toCanonicalUrl(paths.blog(post.id), site),
    ...(post.picture && { image: toSharedUrl(post.picture, site) })
  }
}

export function toSharedUrl(picture: Pick<Picture, 'key'>, site: string): string {
  return new URL(toImageUrl(toFallbackFile(picture)), site).href
}
