import { SETTING_LIMITS } from '../constants.ts'
import type { TaxStatus } from '../contract/names.ts'
import { field, group, listField, type InputSpec, type SectionForm } from './fields.ts'

const ZONE_FIELDS: readonly InputSpec[] = [
  field('text', 'name', 'Name', {
    hint: 'Customers see it, for example “Tiruchirappalli city”.',
    max: SETTING_LIMITS.name
  }),
  field('area', 'pincodes', 'Pincodes', {
    hint: 'For example 620001-620026, 6210, 625: ranges and first digits. Empty means all.',
    max: SETTING_LIMITS.zonePincodes
  }),
  field('choice', 'method', 'Delivered', {
    choices: [
      ['own', 'by ourselves'],
      ['courier', 'by a courier']
    ]
  }),
  field('checkbox', 'active', 'Use this zone'),
  field('amount', 'fee', 'Delivery fee', 'In rupees. Enter 0 for free delivery.'),
  field(
    'amount',
    'freeAbove',
    'Free from',
    'In rupees, for goods after discounts. Enter 0 if the fee is always due.'
  ),
  field('whole', 'transitMin', 'Courier takes at least', {
    hint: 'In days.',
    needs: ['method', 'courier']
  }),
  field('whole', 'transitMax', 'Courier takes at most', {
    hint: 'In days. An order leaves the kitchen this many days earlier.',
    needs: ['method', 'courier']
  })
]

export const DELIVERY_FORM: SectionForm = {
  title: 'Delivery',
  purpose: 'Where you deliver, by whom, and for which fee.',
  groups: [
    group(
      'Zones',
      'The first zone that has the pincode applies. Without zones, you deliver to all of India ' +
        'without a fee, unless you choose otherwise below.',
      [
        listField(
          'zones',
          'Zones',
          'zone',
          {
            max: SETTING_LIMITS.zones,
            isDense: true,
            defaults: {
              method: 'own',
              active: true,
              fee: 0,
              freeAbove: 0,
              transitMin: 0,
              transitMax: 0
            }
          },
          ZONE_FIELDS
        )
      ]
    ),
    group('Everywhere else in India', '', [
      field('choice', 'elsewhere', 'Pincodes in no zone', {
        choices: [
          ['', 'Please choose'],
          ['none', 'We don’t deliver'],
          ['courier', 'By courier']
        ],
        hint: 'Choose this as soon as you have a zone.'
      }),
      field('amount', 'elsewhereFee', 'Delivery fee', {
        hint: 'In rupees. Enter 0 for free delivery.',
        needs: ['elsewhere', 'courier']
      }),
      field('whole', 'elsewhereDays', 'Courier takes at most', {
        hint: 'In days. An order leaves the kitchen this many days earlier.',
        needs: ['elsewhere', 'courier']
      })
    ]),
    group('Pickup', 'At the address under Shop details, which must be complete.', [
      field('checkbox', 'pickup', 'Customers can pick up orders'),
      field(
        'area',
        'pickupText',
        'Hours and directions',
        'For example “9 am to 6 pm, ring at the green gate”.'
      )
    ])
  ]
}

export const CALENDAR_FORM: SectionForm = {
  title: 'Delivery days',
  purpose: 'On which days you deliver, and how many orders you can cook for a day.',
  groups: [
    group('Earliest day', '', [
      field(
        'whole',
        'leadDays',
        'Days to prepare',
        'With 2, an order of Monday is ready on Wednesday. Closed days between count too.'
      ),
      field(
        'time',
        'cutOff',
        'Orders until',
        'India time. Later orders count as those of the next day. Leave empty for midnight.'
      )
    ]),
    group(
      'Closed days',
      'The kitchen neither cooks nor packs on these days. For a time without orders, set a ' +
        'holiday under Orders.',
      [
        field('weekdays', 'closedWeekdays', 'Closed every'),
        listField(
          'closedDates',
          'Closed dates',
          'closed date',
          {
            max: SETTING_LIMITS.closedDates,
            isUnordered: true
          },
          [field('date', '', 'Date')]
        )
      ]
    ),
    group('Days ahead', '', [
      field('whole', 'daysAhead', 'Orders up to', 'Days ahead.'),
      field(
        'whole',
        'longDaysAhead',
        'Large orders up to',
        'Days ahead, with products of the categories below.'
      ),
      field(
        'categories',
        'longCategories',
        'Categories for large orders',
        'Such as Seer Items, which families order months before a wedding.'
      )
    ]),
    group('Daily limits', 'A full day cannot be chosen. Enter 0 for no limit.', [
      field('whole', 'ordersPerDay', 'Orders per day'),
      field(
        'whole',
        'unitsPerDay',
        'Kitchen units per day',
        'Each product says how many units a pack takes, usually 1.'
      )
    ]),
    group('At checkout', '', [
      field('checkbox', 'orderNote', 'Customers can write a note to their order'),
      field(
        'categories',
        'eventCategories',
        'Ask for date and time of the event',
        'For orders with a product of these categories.'
      )
    ])
  ]
}

const STATUS_LABELS: Readonly<Record<TaxStatus, string>> = {
  unregistered: 'Not registered: invoice without tax',
  composition: 'Composition: bill of supply',
  regular: 'Regular: tax invoice'
}

const RULE_FIELDS: readonly InputSpec[] = [
  field('percent', 'rate', 'GST rate (%)', 'CGST and SGST together, for example 5.'),
  field('text', 'hsn', 'HSN code', { max: 8, hint: '4, 6 or 8 digits, for example 2106.' }),
  field(
    'date',
    'from',
    'Applies from',
    'Invoices from this day on. For a new rate, add an entry and keep the old one.'
  )
]

export const TAX_FORM: SectionForm = {
  title: 'Tax',
  purpose: 'GST status, rates and HSN codes. Prices include tax. Issued invoices never change.',
  groups: [
    group('GST registration', 'Ask an accountant which one applies to you.', [
      field('choice', 'status', 'Your shop is', {
        choices: Object.entries(STATUS_LABELS),
        hint: 'Composition and regular need your GSTIN, which is under Legal.'
      })
    ]),
    group(
      'Rates of categories',
      'Regular shops need an entry for all other categories. An accountant must confirm rates ' +
        'and HSN codes.',
      [
        listField(
          'rates',
          'Rates of categories',
          'rate',
          { max: SETTING_LIMITS.taxRates, isDense: true },
          [
            field('category', 'category', 'Category', { empty: 'All other categories' }),
            ...RULE_FIELDS
          ]
        )
      ]
    ),
    group(
      'Rates of single products',
      'Only for products whose rate or HSN code differs from their category.',
      [
        listField(
          'products',
          'Rates of single products',
          'product rate',
          { max: SETTING_LIMITS.taxProducts, isDense: true },
          [field('product', 'product', 'Product'), ...RULE_FIELDS]
        )
      ]
    ),
    group(
      'Other states',
      'Composition shops may not sell to other states, and shops without registration usually ' +
        'must register before they do. Ask an accountant first. Regular shops need not tick the ' +
        'second box.',
      [
        field('checkbox', 'otherStates', 'Deliver to other states'),
        field(
          'checkbox',
          'accountantAsked',
          'I have asked an accountant, and may deliver to other states'
        )
      ]
    )
  ]
}
