import { SETTING_LIMITS } from '../constants.ts'
import { paths } from '../paths.ts'
import { PLACEHOLDER_LIST, POLICIES } from '../settings.ts'
import type { PolicyName, SectionName } from '../contract/names.ts'
import { CALENDAR_FORM, DELIVERY_FORM } from './delivery-form.ts'
import { TAX_FORM } from './tax-form.ts'
import type { InputSpec, SectionForm } from './settings-fields.ts'
import { area, listField, searchText, stateField, tamil, textField } from './settings-fields.ts'

const { text, name: shortText } = SETTING_LIMITS

const NOT_SHOWN = 'Empty fields are not shown.'
const PLACEHOLDERS = `Pages replace these words with your details: ${PLACEHOLDER_LIST}.`

const FEATURE_FIELDS: readonly InputSpec[] = [
  textField('title', 'Title'),
  area('description', 'Text'),
  { kind: 'icon', name: 'icon', label: 'Icon' }
]

const policyForm = (policy: PolicyName, purpose: string): SectionForm => ({
  title: POLICIES[policy].title,
  purpose,
  page: POLICIES[policy].path,
  groups: [
    {
      legend: 'Policy',
      fields: [
        {
          kind: 'markdown',
          name: 'text',
          label: 'Text',
          max: SETTING_LIMITS.policy,
          hint: PLACEHOLDERS
        },
        searchText
      ]
    }
  ]
})

/** In the order of the list of sections. */
export const SECTION_FORMS: Readonly<Record<SectionName, SectionForm>> = {
  shop: {
    title: 'Shop details',
    purpose: 'Name, address, phone and logo, as every page shows them.',
    page: paths.contact,
    groups: [
      {
        legend: 'Name',
        fields: [
          { ...textField('name', 'Shop name'), max: shortText },
          tamil('nameTamil', 'Shop name in Tamil'),
          textField('legalName', 'Legal name', 'For invoices, for example “Palagaram Home Foods”.'),
          textField('line', 'Slogan', 'Title of the home page in browser tabs and search results.'),
          area(
            'tagline',
            'Introduction',
            'One or two sentences, shown at the bottom of every page.'
          ),
          searchText,
          {
            ...textField(
              'logo',
              'Logo',
              'Square pictures look best. Without one, the kolam is shown.'
            ),
            kind: 'picture'
          }
        ]
      },
      {
        legend: 'Contact',
        hint: NOT_SHOWN,
        fields: [
          { ...textField('phone', 'Phone'), kind: 'tel' },
          { ...textField('whatsapp', 'WhatsApp number'), kind: 'tel' },
          {
            ...textField(
              'email',
              'Email',
              'Customers see it. Messages and notices about orders go here.'
            ),
            kind: 'email'
          },
          textField('hours', 'Opening hours', 'For example “Mon–Sat, 9 am – 7 pm”.')
        ]
      },
      {
        legend: 'Address',
        hint: NOT_SHOWN,
        fields: [
          textField('address.street', 'Street'),
          textField('address.area', 'Area'),
          textField('address.city', 'City'),
          stateField('address.state'),
          textField('address.pincode', 'Pincode'),
          textField(
            'mapPoint',
            'Point on the map',
            'Two numbers, such as “10.827, 78.688”. Touch and hold your shop in Google Maps to see and copy them.'
          )
        ]
      },
      {
        legend: 'Social networks',
        fields: [
          listField('social', 'Links', 'link', [
            textField('name', 'Network', 'For example Instagram.'),
            { kind: 'url', name: 'url', label: 'Web address', max: text }
          ])
        ]
      }
    ]
  },
  legal: {
    title: 'Legal',
    purpose:
      'FSSAI number, GSTIN and grievance officer. Invoices and the bottom of every page show them.',
    page: paths.contact,
    groups: [
      {
        legend: 'Registrations',
        fields: [
          textField('fssai', 'FSSAI number', '14 digits.'),
          textField(
            'gstin',
            'GSTIN',
            '15 characters. Leave empty if you are not registered for GST.'
          )
        ]
      },
      {
        legend: 'Grievance officer',
        hint: 'The person who answers complaints. The law asks online shops to name one. Contact then also says what the law asks of this person: to acknowledge complaints within 48 hours and to resolve them within one month.',
        fields: [
          textField('grievanceOfficer.name', 'Name'),
          textField('grievanceOfficer.designation', 'Designation')
        ]
      }
    ]
  },
  tax: TAX_FORM,
  home: {
    title: 'Home page',
    purpose: 'Banners, featured categories, bestsellers and what customers say.',
    page: paths.home,
    groups: [
      {
        legend: 'Banners',
        hint: 'Large pictures at the top. The first one is shown first.',
        fields: [
          listField(
            'banners',
            'Banners',
            'banner',
            [
              { kind: 'picture', name: 'picture', label: 'Picture' },
              area('alt', 'Describe the picture', 'Read aloud to people who can’t see it.'),
              textField('heading', 'Heading'),
              area('text', 'Text'),
              {
                ...textField('button', 'Button', 'Leave empty for “Shop Now”.'),
                max: SETTING_LIMITS.button
              },
              {
                ...textField(
                  'link',
                  'The button opens',
                  'A page such as /products, or a web address.'
                ),
                max: text
              }
            ],
            { max: SETTING_LIMITS.banners }
          )
        ]
      },
      {
        legend: 'Products',
        fields: [
          listField('featuredCategories', 'Featured categories', 'featured category', [
            { kind: 'category', name: '', label: 'Category' }
          ]),
          listField(
            'bestsellers',
            'Bestsellers',
            'bestseller',
            [{ kind: 'product', name: '', label: 'Product' }],
            {
              max: SETTING_LIMITS.bestsellers,
              hint: 'Leave empty to show the products with the highest rating.'
            }
          )
        ]
      },
      {
        legend: 'About the shop',
        fields: [
          listField('whyChooseUs', 'Why choose us', 'reason', FEATURE_FIELDS),
          listField('features', 'Our features', 'feature', FEATURE_FIELDS),
          listField(
            'testimonials',
            'What customers say',
            'testimonial',
            [
              textField('name', 'Name'),
              textField('location', 'Place'),
              area('comment', 'What they said')
            ],
            { hint: 'Only use quotes from real customers.' }
          )
        ]
      }
    ]
  },
  categories: {
    title: 'Categories',
    purpose: 'Names, pictures and order of the product categories.',
    page: paths.products,
    groups: [
      {
        legend: 'Categories',
        hint: 'Menus and lists have the same order. Hiding a category removes it from menus; its products stay in the shop.',
        fields: [
          listField(
            'categories',
            'Categories',
            'category',
            [
              { ...textField('label', 'Label'), max: shortText },
              tamil('labelTamil', 'Label in Tamil'),
              area('description', 'Text'),
              { kind: 'picture', name: 'picture', label: 'Picture' },
              { kind: 'checkbox', name: 'hidden', label: 'Hide this category' }
            ],
            {
              max: SETTING_LIMITS.categories,
              // The name, which web addresses contain, is made from the label of a new category.
              defaults: { name: '' }
            }
          )
        ]
      }
    ]
  },
  orders: {
    title: 'Orders',
    purpose: 'Holidays, minimum order and cancellations.',
    groups: [
      {
        legend: 'Closed for a holiday',
        hint: 'From the first to the last day, customers can look around, but not order.',
        fields: [
          { kind: 'date', name: 'closed.from', label: 'First day' },
          { kind: 'date', name: 'closed.until', label: 'Last day' },
          area(
            'closed.message',
            'Message',
            'For example “We are at a wedding.” The shop adds the day on which you open again.'
          )
        ]
      },
      {
        legend: 'Rules',
        fields: [
          {
            kind: 'amount',
            name: 'minimumOrder',
            label: 'Minimum order',
            hint: 'In rupees. Enter 0 for no minimum.'
          },
          {
            kind: 'categories',
            name: 'cancellable',
            label: 'Customers may cancel until an order is packed',
            hint: 'Customers can cancel an order if all its products are in these categories.'
          }
        ]
      }
    ]
  },
  delivery: DELIVERY_FORM,
  calendar: CALENDAR_FORM,
  mail: {
    title: 'Email',
    purpose: 'Sender and signature of emails to customers.',
    groups: [
      {
        legend: 'Email',
        fields: [
          {
            ...textField(
              'sender',
              'Sender',
              'Leave empty to use MAIL_FROM or, if the server has none, the shop’s email address.'
            ),
            kind: 'email'
          },
          area(
            'signature',
            'Signature',
            'Last lines of each email. Leave empty for the name of the shop.'
          )
        ]
      }
    ]
  },
  search: {
    title: 'Search',
    purpose: 'Words that find the same products, and searches that found nothing.',
    groups: [
      {
        legend: 'Words that mean the same',
        fields: [
          {
            ...area(
              'synonyms',
              'Words',
              'One line for each meaning, with commas: “murukku, chakli”. You don’t need a line for other spellings.'
            ),
            max: SETTING_LIMITS.synonyms,
            rows: 12
          }
        ]
      }
    ]
  },
  about: {
    title: 'About us',
    purpose: 'The story of the shop and its values.',
    page: paths.about,
    groups: [
      {
        legend: 'About us',
        fields: [
          { kind: 'picture', name: 'picture', label: 'Picture' },
          {
            kind: 'markdown',
            name: 'text',
            label: 'Text',
            max: SETTING_LIMITS.policy,
            hint: PLACEHOLDERS
          },
          listField('values', 'Our values', 'value', [
            textField('title', 'Title'),
            area('description', 'Text')
          ]),
          searchText
        ]
      }
    ]
  },
  shipping: policyForm('shipping', 'Where and when you deliver, and what it costs.'),
  refund: policyForm('refund', 'When customers can cancel and get their money back.'),
  privacy: policyForm('privacy', 'What you do with the data of customers.'),
  terms: policyForm('terms', 'The rules of a purchase.')
}

export function isSectionName(name: string | null): name is SectionName {
  return name !== null && Object.hasOwn(SECTION_FORMS, name)
}
