import { SETTING_LIMITS } from '../constants.ts'
import { STATES } from '../contract/states.ts'
import type { SectionName } from '../contract/names.ts'
import { LEGAL_FORM, PLACEHOLDERS, POLICIES_FORM, policyForm, TAX_FORM } from './legal-forms.ts'
import { CALENDAR_FORM, DELIVERY_FORM, ORDERS_FORM } from './rules-forms.ts'
import {
  field,
  group,
  listField,
  searchText,
  type InputSpec,
  type SectionForm,
  tamil
} from './fields.ts'
import { text } from '../contract/texts.ts'

const { name: shortText } = SETTING_LIMITS
const NOT_SHOWN = text('Empty fields are not shown.')

const VALUE_FIELDS: readonly InputSpec[] = [
  field('text', 'title', 'Title', { isTranslated: true }),
  field('area', 'description', 'Text', { isTranslated: true })
]
const FEATURE_FIELDS: readonly InputSpec[] = [...VALUE_FIELDS, field('icon', 'icon', 'Icon')]

export const SECTION_FORMS: Readonly<Record<SectionName, SectionForm>> = {
  shop: {
    title: text('Shop details'),
    purpose: text('Name, address, phone and logo, as every page shows them.'),
    page: 'contact',
    groups: [
      group('Name', '', [
        field('text', 'name', 'Shop name', { isTranslated: true, max: shortText }),
        tamil('nameTamil', 'Shop name in Tamil', 'Shop name'),
        field(
          'text',
          'legalName',
          'Legal name',
          'For invoices, for example “Palagaram Home Foods”.'
        ),
        field('text', 'line', 'Slogan', {
          isTranslated: true,
          hint: 'A few words. Google and the browser tab show them.'
        }),
        field('area', 'tagline', 'Introduction', {
          isTranslated: true,
          hint: 'One or two sentences, shown at the bottom of every page.'
        }),
        searchText,
        field(
          'picture',
          'logo',
          'Logo',
          'Square pictures look best. Without one, the kolam is shown.'
        )
      ]),
      group('Contact', NOT_SHOWN, [
        field('tel', 'phone', 'Phone'),
        field(
          'tel',
          'whatsapp',
          'WhatsApp number',
          'Every page then has a link with which customers can write to you.'
        ),
        field(
          'email',
          'email',
          'Email',
          'Customers see it. Messages and notices about orders go here.'
        ),
        field('text', 'hours', 'Opening hours', {
          isTranslated: true,
          hint: 'For example “Mon–Sat, 9 am – 7 pm”.'
        })
      ]),
      group('Address', NOT_SHOWN, [
        field('pincode', 'address.pincode', 'Pincode', 'We’ll fill in city and state.'),
        field('text', 'address.street', 'Street'),
        field('text', 'address.area', 'Area'),
        field('text', 'address.city', 'City'),
        field('choice', 'address.state', 'State', {
          choices: [['', text('Choose a state')], ...STATES.map(state => [state, state] as const)]
        }),
        field(
          'text',
          'mapPoint',
          'Point on the map',
          'Two numbers, such as “10.827, 78.688”. Touch and hold your shop in Google Maps to ' +
            'see and copy them.'
        )
      ]),
      group('Social networks', '', [
        listField('social', 'Links', 'link', {}, [
          field('text', 'name', 'Network', 'For example Instagram.'),
          field('url', 'url', 'Web address')
        ])
      ])
    ]
  },
  legal: LEGAL_FORM,
  tax: TAX_FORM,
  home: {
    title: text('Home page'),
    purpose: text('The large picture at the top, and what the page shows below it.'),
    page: 'home',
    groups: [
      group('At the top', 'A large picture with two sentences. Several pictures take turns.', [
        listField('banners', 'Banners', 'banner', { max: SETTING_LIMITS.banners }, [
          field('picture', 'picture', 'Picture', 'Without one, your first product is shown.'),
          field('text', 'heading', 'Heading', { isTranslated: true }),
          field('area', 'text', 'Text', { isTranslated: true }),
          field('text', 'button', 'Button', {
            isTranslated: true,
            hint: 'Leave empty for “Shop Now”.',
            max: SETTING_LIMITS.button
          }),
          field('text', 'link', 'The button opens', {
            hint: 'A page such as /products, or a web address.',
            max: SETTING_LIMITS.text
          }),
          field('area', 'alt', 'Describe the picture', {
            isTranslated: true,
            hint: 'Read aloud to people who can’t see it.'
          })
        ])
      ]),
      group('Products', '', [
        listField('featuredCategories', 'Featured categories', 'featured category', {}, [
          field('category', '', 'Category')
        ]),
        listField(
          'bestsellers',
          'Bestsellers',
          'bestseller',
          {
            max: SETTING_LIMITS.bestsellers,
            hint: 'Leave empty to show what sells best.'
          },
          [field('product', '', 'Product')]
        )
      ]),
      group('About the shop', '', [
        listField('whyChooseUs', 'Why choose us', 'reason', {}, FEATURE_FIELDS),
        listField('features', 'Our features', 'feature', {}, FEATURE_FIELDS),
        listField(
          'testimonials',
          'What customers say',
          'testimonial',
          { hint: 'Only use quotes from real customers.' },
          [
            field('text', 'name', 'Name', { isTranslated: true }),
            field('text', 'location', 'Place', { isTranslated: true }),
            field('area', 'comment', 'What they said', { isTranslated: true })
          ]
        )
      ])
    ]
  },
  categories: {
    title: text('Categories'),
    purpose: text('Names, pictures and order of the product categories.'),
    page: 'products',
    groups: [
      group(
        'Categories',
        'Menus and lists have the same order. Hiding a category removes it from menus; its ' +
          'products stay in the shop.',
        [
          listField(
            'categories',
            'Categories',
            'category',
            {
              max: SETTING_LIMITS.categories,
              defaults: { name: '' }
            },
            [
              field('text', 'label', 'Label', { isTranslated: true, max: shortText }),
              tamil('labelTamil', 'Label in Tamil', 'Label'),
              field('area', 'description', 'Text', { isTranslated: true }),
              field('picture', 'picture', 'Picture'),
              field('checkbox', 'hidden', 'Hide this category')
            ]
          )
        ]
      )
    ]
  },
  orders: ORDERS_FORM,
  delivery: DELIVERY_FORM,
  calendar: CALENDAR_FORM,
  mail: {
    title: text('Email'),
    purpose: text('How your shop sends mail: login codes, and news about orders.'),
    groups: [
      group('Your email account', '', [
        field('slug', 'user', 'User name'),
        field('secret', 'password', 'Password'),
        field('slug', 'server', 'Mail server'),
        field('whole', 'port', 'Port', 'Usually 587 or 465.')
      ]),
      group('What customers see', '', [
        field(
          'email',
          'sender',
          'Sender',
          'Leave empty to send from your own address or that of the shop.'
        ),
        field('area', 'signature', 'Signature', {
          isTranslated: true,
          hint: 'Last lines of each email. Leave empty for the name of the shop.'
        })
      ])
    ]
  },
  payments: {
    title: text('Payments'),
    purpose: text('How customers pay you: by UPI, card or net banking, with Razorpay.'),
    groups: [
      group('Your Razorpay account', '', [
        field('slug', 'keyId', 'Key id', 'Begins with rzp_live_, or with rzp_test_ to try it.'),
        field('secret', 'keySecret', 'Key secret'),
        field('secret', 'webhookSecret', 'Webhook secret')
      ])
    ]
  },
  search: {
    title: text('Search||noun'),
    purpose: text('Words that find the same products, and searches that found nothing.'),
    groups: [
      group('Words that mean the same', '', [
        field('area', 'synonyms', 'Words', {
          hint:
            'One line for each meaning, with commas: “murukku, chakli”. You don’t need a line ' +
            'for other spellings.',
          max: SETTING_LIMITS.synonyms,
          rows: 12
        })
      ])
    ]
  },
  about: {
    title: text('About us'),
    purpose: text('The story of the shop and its values.'),
    page: 'about',
    groups: [
      group('About us', '', [
        field('picture', 'picture', 'Picture'),
        field('markdown', 'text', 'Text', {
          isTranslated: true,
          max: SETTING_LIMITS.policy,
          hint: PLACEHOLDERS
        }),
        listField('values', 'Our values', 'value', {}, VALUE_FIELDS),
        searchText
      ]),
      group('Who cooks?', 'This name signs the page. Empty fields are not shown.', [
        field('text', 'cook.name', 'Name', { isTranslated: true, max: shortText }),
        field('text', 'cook.role', 'Role', {
          isTranslated: true,
          hint: 'For example Cook.'
        }),
        field('area', 'story', 'Story for the home page', {
          isTranslated: true,
          hint: 'Two or three sentences in the cook’s own words. Home shows them with the picture.'
        }),
        field('text', 'promise', 'Line on product pages', {
          isTranslated: true,
          hint: 'What is true of everything you cook. For example: no added preservatives.'
        })
      ])
    ]
  },
  policies: POLICIES_FORM,
  shipping: policyForm('shipping', text('Where and when you deliver, and what it costs.')),
  refund: policyForm('refund', text('When customers can cancel and get their money back.')),
  privacy: policyForm('privacy', text('What you do with the data of customers.')),
  terms: policyForm('terms', text('The rules of a purchase.'))
}

export function isSectionName(name: string | null): name is SectionName {
  return name !== null && Object.hasOwn(SECTION_FORMS, name)
}
