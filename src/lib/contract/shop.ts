import * as z from 'zod/mini'
import { CATEGORIES } from '../constants.ts'

const Titled = z.object({ title: z.string(), description: z.string(), icon: z.string() })

export type ShopDetails = z.infer<typeof ShopDetails>
export const ShopDetails = z.object({
  name: z.string(),
  nameTamil: z.string(),
  line: z.string(),
  tagline: z.string(),
  description: z.string(),
  legalName: z.string(),
  address: z.object({
    street: z.string(),
    area: z.string(),
    city: z.string(),
    state: z.string(),
    pincode: z.string(),
    country: z.string()
  }),
  phone: z.string(),
  email: z.email(),
  fssai: z.string(),
  gstin: z.nullable(z.string()),
  grievanceOfficer: z.object({ name: z.string(), designation: z.string() }),
  hours: z.string(),
  map: z.object({ latitude: z.number(), longitude: z.number(), zoom: z.int() }),
  social: z.array(z.object({ name: z.string(), url: z.url() })),
  hero: z.object({
    heading: z.string(),
    text: z.string(),
    button: z.string(),
    banners: z.array(z.object({ picture: z.string() }))
  }),
  categories: z.array(
    z.object({
      name: z.enum(CATEGORIES),
      label: z.string(),
      labelTamil: z.string(),
      description: z.string(),
      picture: z.string()
    })
  ),
  featuredCategories: z.array(z.enum(CATEGORIES)),
  testimonials: z.array(z.object({ name: z.string(), location: z.string(), comment: z.string() })),
  whyChooseUs: z.array(Titled),
  features: z.array(Titled),
  values: z.array(z.object({ title: z.string(), description: z.string() }))
})

export type ShopInfo = ShopDetails & { year: number }
