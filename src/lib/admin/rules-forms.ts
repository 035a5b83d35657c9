import { SETTING_LIMITS } from '../constants.ts'
import { field, group, listField, type InputSpec, type SectionForm } from './fields.ts'
import { text } from '../contract/texts.ts'
import { NEW_ZONE } from './zones.ts'

const DAYS_HINT = text('The order leaves your kitchen this many days earlier.')

const ZONE_FIELDS: readonly InputSpec[] = [
  field('place', 'area', 'Where'),
  field('text', 'name', 'Name', {
    isTranslated: true,
    hint: 'Customers see it, for example “Near the temple”.',
    max: SETTING_LIMITS.name,
    needs: ['area', 'typed']
  }),
  field('area', 'pincodes', 'Pincodes', {
    hint: 'For example 620001-620026, 6210. 6210 means all that begin with it, 9 is the army.',
    max: SETTING_LIMITS.zonePincodes,
    needs: ['area', 'typed']
  }),
  field('radio', 'method', 'Who brings it?', {
    choices: [
      ['own', text('We do')],
      ['courier', text('A courier')]
    ]
  }),
  field('amount', 'fee', 'Delivery fee', { prefix: '₹' }),
  field('amount', 'freeAbove', 'Free from', {
    prefix: '₹',
    hint: '500: no fee if the order is ₹500 or more. 0: always a fee.'
  }),
  field('whole', 'transitMax', 'How many days does it take?', {
    hint: DAYS_HINT,
    needs: ['method', 'courier']
  }),
  field('checkbox', 'active', 'We deliver here now')
]

export const DELIVERY_FORM: SectionForm = {
  title: text('Delivery'),
  purpose: text('Where you deliver, who brings it, and what it costs.'),
  groups: [
    group('Where do you deliver?', 'If the list is empty: everywhere in India, without a fee.', [
      listField(
        'zones',
        'Where do you deliver?',
        'place',
        { max: SETTING_LIMITS.zones, isDense: true, defaults: NEW_ZONE },
        ZONE_FIELDS
      )
    ]),
    group('Everywhere else in India', '', [
      field('radio', 'elsewhere', 'Do you deliver there too?', {
        choices: [
          ['none', text('We don’t deliver')],
          ['courier', text('By courier')]
        ]
      }),
      field('amount', 'elsewhereFee', 'Delivery fee', {
        prefix: '₹',
        needs: ['elsewhere', 'courier']
      }),
      field('whole', 'elsewhereDays', 'How many days does it take?', {
        hint: DAYS_HINT,
        needs: ['elsewhere', 'courier']
      })
    ]),
    group('Pickup', 'At the address under Shop details, which must be complete.', [
      field('checkbox', 'pickup', 'Customers can pick up orders'),
      field('area', 'pickupText', 'Hours and directions', {
        isTranslated: true,
        hint: 'For example “9 am to 6 pm, ring at the green gate”.',
        needs: ['pickup', 'true']
      })
    ])
  ]
}

export const CALENDAR_FORM: SectionForm = {
  title: text('Delivery days'),
  purpose: text('On which days you deliver, and how many orders you can cook for a day.'),
  groups: [
    group('Earliest day', '', [
      field(
        'whole',
        'leadDays',
        'Days from order to delivery',
        '2: ordered on Monday, ready on Wednesday.'
      ),
      field(
        'time',
        'cutOff',
        'Last time for orders of a day',
        'Later orders count for the next day. Leave empty for midnight.'
      )
    ]),
    group(
      'Closed days',
      'You don’t cook or pack on these days, but they count as days between order ' +
        'and delivery. To take no orders at all for some days, use “Close for a holiday” on ' +
        'the dashboard.',
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
    group('How early can customers order?', '', [
      field('whole', 'daysAhead', 'Days ahead'),
      field(
        'whole',
        'longDaysAhead',
        'Days ahead for large orders',
        'If a product of the categories below is in the order.'
      ),
      field(
        'categories',
        'longCategories',
        'Categories for large orders',
        'Such as Seer Items, which families order months before a wedding.'
      )
    ]),
    group('How much can you make in a day?', 'A full day can’t be chosen. 0 means no limit.', [
      field('whole', 'ordersPerDay', 'Orders per day'),
      field(
        'whole',
        'unitsPerDay',
        'Packs per day',
        'A product that is twice the work counts as 2 packs.'
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

export const ORDERS_FORM: SectionForm = {
  title: text('Orders'),
  purpose: text('Holidays, minimum order and cancellations.'),
  groups: [
    group(
      'Closed for a holiday',
      'From the first to the last day, customers can look around, but not order.',
      [
        field('date', 'closed.from', 'First day'),
        field('date', 'closed.until', 'Last day'),
        field('area', 'closed.message', 'Message', {
          isTranslated: true,
          hint:
            'For example “We are at a wedding.” ' + 'The shop adds the day on which you open again.'
        })
      ]
    ),
    group('Rules', '', [
      field('amount', 'minimumOrder', 'Minimum order', 'In rupees. Enter 0 for no minimum.'),
      field(
        'categories',
        'cancellable',
        'Customers may cancel until an order is packed',
        'Customers can cancel an order if all its products are in these categories.'
      )
    ])
  ]
}
