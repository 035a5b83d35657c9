import { CURRENCY } from '#lib/constants.ts'
import type { Product } from '#lib/contract/catalog.ts'
import type { BlogPost } from '#lib/contract/content.ts'
import { locale } from '#lib/contract/texts.ts'
import { toFallbackFile, toImageUrl } from '#lib/images.ts'
import { type Picture, toMapPoint } from '#lib/contract/values.ts'
import { PATHS, paths, toCanonicalUrl } from '#lib/paths.ts'
import { formatPack, toStockLevel } from '#lib/product.ts'
import type { StockLevel } from '#lib/contract/names.ts'
import type { ShopDetails } from '#lib/settings.ts'

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
  sizes: readonly Pick<Product, 'id'>[]
  shop: Pick<ShopDetails, 'name'>
  site: string
}

/** Leaves out the rating, because it does not come from customers. */
export function productData({ product, sizes, shop, site }: ProductPage): object {
  const url = toCanonicalUrl(paths.product(product.id), site)
  return {
    '@type': 'Product',
    name: product.name,
    alternateName: product.nameTamil || undefined,
    description: product.description || undefined,
    sku: product.id,
    image: product.pictures.map(picture => toSharedUrl(picture, site)),
    brand: { '@type': 'Brand', name: shop.name },
    offers: {
      '@type': 'Offer',
      url,
      price: product.price.toFixed(2),
      priceCurrency: CURRENCY,
      ...(product.listPrice !== undefined && {
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          priceType: 'https://schema.org/StrikethroughPrice',
          price: product.listPrice.toFixed(2),
          priceCurrency: CURRENCY
        }
      }),
      availability: AVAILABILITY[toStockLevel(product.stock)],
      itemCondition: 'https://schema.org/NewCondition',
      seller: { '@type': 'Organization', name: shop.name }
    },
    ...(sizes.length > 0 && {
      size: formatPack(product.quantity),
      isVariantOf: {
        '@type': 'ProductGroup',
        name: product.name,
        productGroupID: product.family?.id,
        variesBy: ['https://schema.org/size'],
        hasVariant: sizes.map(({ id }) => ({ url: toCanonicalUrl(paths.product(id), site) }))
      }
    })
  }
}

export function breadcrumbData(
  steps: readonly { name: string; path?: string }[],
  site: string
): object {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      ...(path && { item: new URL(path, site).href })
    }))
  }
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
