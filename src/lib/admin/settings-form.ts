import { SETTING_LIMITS } from '../constants.ts'
import { STATES } from '../contract/states.ts'
import type { SectionName } from '../contract/names.ts'
import { CONNECTION_FORMS } from './connection-forms.ts'
import { LEGAL_FORM, PLACEHOLDERS, POLICIES_FORM, policyForm, TAX_FORM } from './legal-forms.ts'
import { CALENDAR_FORM, DELIVERY_FORM } from './rules-forms.ts'
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
  field('text', 'title', text('Title'), { isTranslated: true }),
  field('area', 'description', text('Text'), { isTranslated: true })
]
const FEATURE_FIELDS: readonly InputSpec[] = [...VALUE_FIELDS, field('icon', 'icon', text('Icon'))]

export const SECTION_FORMS: Readonly<Record<SectionName, SectionForm>> = {
  shop: {
    title: text('Shop details'),
    purpose: text('Name, address, phone and logo, as every page shows them.'),
    page: 'contact',
    groups: [
      group(text('Name'), '', [
        field('text', 'name', text('Shop name'), { isTranslated: true, max: shortText }),
        tamil('nameTamil', text('Shop name in Tamil'), text('Shop name')),
        field(
          'text',
          'legalName',
          text('Legal name'),
          text('For invoices, for example “Palagaram Home Foods”.')
        ),
        field('text', 'line', text('Slogan'), {
          isTranslated: true,
          hint: text('A few words. Google and the browser tab show them.')
        }),
        field('area', 'tagline', text('Introduction'), {
          isTranslated: true,
          hint: text('One or two sentences, shown at the bottom of every page.')
        }),
        searchText,
        field(
          'picture',
          'logo',
          text('Logo'),
          text('Square pictures look best. Without one, the kolam is shown.')
        )
      ]),
      group(text('Contact'), NOT_SHOWN, [
        field('tel', 'phone', text('Phone')),
        field('tel', 'whatsapp', text('WhatsApp number')),
        field(
          'email',
          'email',
          text('Email'),
          text('Customers see it. Messages and notices about orders go here.')
        ),
        field('text', 'hours', text('Opening hours'), {
          isTranslated: true,
          hint: text('For example “Mon–Sat, 9 am – 7 pm”.')
        })
      ]),
      group(text('Address'), NOT_SHOWN, [
        field('pincode', 'address.pincode', text('Pincode'), text('We’ll fill in city and state.')),
        field('text', 'address.street', text('Street')),
        field('text', 'address.area', text('Area')),
        field('text', 'address.city', text('City')),
        field('choice', 'address.state', text('State'), {
          choices: [['', text('Choose a state')], ...STATES.map(state => [state, state] as const)]
        }),
        field(
          'text',
          'mapPoint',
          text('Point on the map'),
          text(
            'Two numbers, such as “10.827, 78.688”. Touch and hold your shop in Google Maps to ' +
              'see and copy them.'
          )
        )
      ]),
      group(text('Social networks'), '', [
        listField('social', text('Links'), text('link'), {}, [
          field('text', 'name', text('Network'), text('For example Instagram.')),
          field('url', 'url', text('Web address'))
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
      group(
        text('At the top'),
        text('A large picture with two sentences. Several pictures take turns.'),
        [
          listField('banners', text('Banners'), text('banner'), { max: SETTING_LIMITS.banners }, [
            field(
              'picture',
              'picture',
              text('Picture'),
              text('Without one, your first product is shown.')
            ),
            field('text', 'heading', text('Heading'), { isTranslated: true }),
            field('area', 'text', text('Text'), { isTranslated: true }),
            field('text', 'button', text('Button'), {
              isTranslated: true,
              hint: text('Leave empty for “Shop Now”.'),
              max: SETTING_LIMITS.button
            }),
            field('text', 'link', text('The button opens'), {
              hint: text('A page such as /products, or a web address.'),
              max: SETTING_LIMITS.text
            }),
            field('area', 'alt', text('Describe the picture'), {
              isTranslated: true,
              hint: text('Read aloud to people who can’t see it.')
            })
          ])
        ]
      ),
      group(text('Products'), '', [
        listField(
          'featuredCategories',
          text('Featured categories'),
          text('featured category'),
          {},
          [field('category', '', text('Category'))]
        ),
        listField(
          'bestsellers',
          text('Bestsellers'),
          text('bestseller'),
          {
            max: SETTING_LIMITS.bestsellers,
            hint: text('Leave empty to show what sells best.')
          },
          [field('product', '', text('Product'))]
        )
      ]),
      group(text('About the shop'), '', [
        listField('whyChooseUs', text('Why choose us'), text('reason'), {}, FEATURE_FIELDS),
        listField('features', text('Our features'), text('feature'), {}, FEATURE_FIELDS),
        listField(
          'testimonials',
          text('What customers say'),
          text('testimonial'),
          { hint: text('Only use quotes from real customers.') },
          [
            field('text', 'name', text('Name'), { isTranslated: true }),
            field('text', 'location', text('Place'), { isTranslated: true }),
            field('area', 'comment', text('What they said'), { isTranslated: true })
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
        text('Categories'),
        text(
          'Menus and lists have the same order. Hiding a category removes it from menus; its ' +
            'products stay in the shop.'
        ),
        [
          listField(
            'categories',
            text('Categories'),
            text('category'),
            {
              max: SETTING_LIMITS.categories,
              defaults: { name: '' }
            },
            [
              field('text', 'label', text('Label'), { isTranslated: true, max: shortText }),
              tamil('labelTamil', text('Label in Tamil'), text('Label')),
              field('area', 'description', text('Text'), { isTranslated: true }),
              field('picture', 'picture', text('Picture')),
              field('checkbox', 'hidden', text('Hide this category'))
            ]
          )
        ]
      )
    ]
  },
  orders: {
    title: text('Orders'),
    purpose: text('Holidays, minimum order and cancellations.'),
    groups: [
      group(
        text('Closed for a holiday'),
        text('From the first to the last day, customers can look around, but not order.'),
        [
          field('date', 'closed.from', text('First day')),
          field('date', 'closed.until', text('Last day')),
          field('area', 'closed.message', text('Message'), {
            isTranslated: true,
            hint: text(
              'For example “We are at a wedding.” The shop adds the day on which you open again.'
            )
          })
        ]
      ),
      group(text('Rules'), '', [
        field(
          'amount',
          'minimumOrder',
          text('Minimum order'),
          text('In rupees. Enter 0 for no minimum.')
        ),
        field(
          'categories',
          'cancellable',
          text('Customers may cancel until an order is packed'),
          text('Customers can cancel an order if all its products are in these categories.')
        )
      ])
    ]
  },
  delivery: DELIVERY_FORM,
  calendar: CALENDAR_FORM,
  ...CONNECTION_FORMS,
  search: {
    title: text('Search||noun'),
    purpose: text('Words that find the same products, and searches that found nothing.'),
    groups: [
      group(text('Words that mean the same'), '', [
        field('area', 'synonyms', text('Words'), {
          hint: text(
            'One line for each meaning, with commas: “murukku, chakli”. You don’t need a line ' +
              'for other spellings.'
          ),
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
      group(text('About us'), '', [
        field('picture', 'picture', text('Picture')),
        field('markdown', 'text', text('Text'), {
          isTranslated: true,
          max: SETTING_LIMITS.policy,
          hint: PLACEHOLDERS
        }),
        listField('values', text('Our values'), text('value'), {}, VALUE_FIELDS),
        searchText
      ]),
      group(text('Who cooks?'), text('This name signs the page. Empty fields are not shown.'), [
        field('text', 'cook.name', text('Name'), { isTranslated: true, max: shortText }),
        field('text', 'cook.role', text('Role'), {
          isTranslated: true,
          hint: text('For example Cook.')
        }),
        field('area', 'story', text('Story for the home page'), {
          isTranslated: true,
          hint: text(
            'Two or three sentences in the cook’s own words. Home shows them with the picture.'
          )
        }),
        field('text', 'promise', text('Line on product pages'), {
          isTranslated: true,
          hint: text('What is true of everything you cook. For example: no added preservatives.')
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
