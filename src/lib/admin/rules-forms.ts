import { SETTING_LIMITS } from '../constants.ts'
import { field, group, listField, type InputSpec, type SectionForm } from './fields.ts'
import { text } from '../contract/texts.ts'
import { NEW_ZONE } from './zones.ts'

const DAYS_HINT = text('The order leaves your kitchen this many days earlier.')

const ZONE_FIELDS: readonly InputSpec[] = [
  field('place', 'area', text('Where')),
  field('text', 'name', text('Name'), {
    isTranslated: true,
    hint: text('Customers see it, for example “Near the temple”.'),
    max: SETTING_LIMITS.name,
    needs: ['area', 'typed']
  }),
  field('area', 'pincodes', text('Pincodes'), {
    hint: text(
      'For example 620001-620026, 6210. 6210 means all that begin with it, 9 is the army.'
    ),
    max: SETTING_LIMITS.zonePincodes,
    needs: ['area', 'typed']
  }),
  field('radio', 'method', text('Who brings it?'), {
    choices: [
      ['own', text('We do')],
      ['courier', text('A courier')]
    ]
  }),
  field('amount', 'fee', text('Delivery fee'), { prefix: '₹' }),
  field('amount', 'freeAbove', text('Free from'), {
    prefix: '₹',
    hint: text('500: no fee if the order is ₹500 or more. 0: always a fee.')
  }),
  field('whole', 'transitMax', text('How many days does it take?'), {
    hint: DAYS_HINT,
    needs: ['method', 'courier']
  }),
  field('checkbox', 'active', text('We deliver here now'))
]

export const DELIVERY_FORM: SectionForm = {
  title: text('Delivery'),
  purpose: text('Where you deliver, who brings it, and what it costs.'),
  groups: [
    group(
      text('Where do you deliver?'),
      text('If the list is empty: everywhere in India, without a fee.'),
      [
        listField(
          'zones',
          text('Where do you deliver?'),
          text('place'),
          { max: SETTING_LIMITS.zones, isDense: true, defaults: NEW_ZONE },
          ZONE_FIELDS
        )
      ]
    ),
    group(text('Everywhere else in India'), '', [
      field('radio', 'elsewhere', text('Do you deliver there too?'), {
        choices: [
          ['none', text('We don’t deliver')],
          ['courier', text('By courier')]
        ]
      }),
      field('amount', 'elsewhereFee', text('Delivery fee'), {
        prefix: '₹',
        needs: ['elsewhere', 'courier']
      }),
      field('whole', 'elsewhereDays', text('How many days does it take?'), {
        hint: DAYS_HINT,
        needs: ['elsewhere', 'courier']
      })
    ]),
    group(text('Pickup'), text('At the address under Shop details, which must be complete.'), [
      field('checkbox', 'pickup', text('Customers can pick up orders')),
      field('area', 'pickupText', text('Hours and directions'), {
        isTranslated: true,
        hint: text('For example “9 am to 6 pm, ring at the green gate”.'),
        needs: ['pickup', 'true']
      })
    ])
  ]
}

export const CALENDAR_FORM: SectionForm = {
  title: text('Delivery days'),
  purpose: text('On which days you deliver, and how many orders you can cook for a day.'),
  groups: [
    group(text('Earliest day'), '', [
      field(
        'whole',
        'leadDays',
        text('Days from order to delivery'),
        text('2: ordered on Monday, ready on Wednesday.')
      ),
      field(
        'time',
        'cutOff',
        text('Last time for orders of a day'),
        text('Later orders count for the next day. Leave empty for midnight.')
      )
    ]),
    group(
      text('Closed days'),
      text(
        'You don’t cook or pack on these days, but they count as days between order ' +
          'and delivery. To take no orders at all for some days, use “Close for a holiday” on ' +
          'the dashboard.'
      ),
      [
        field('weekdays', 'closedWeekdays', text('Closed every')),
        listField(
          'closedDates',
          text('Closed dates'),
          text('closed date'),
          {
            max: SETTING_LIMITS.closedDates,
            isUnordered: true
          },
          [field('date', '', text('Date'))]
        )
      ]
    ),
    group(text('How early can customers order?'), '', [
      field('whole', 'daysAhead', text('Days ahead')),
      field(
        'whole',
        'longDaysAhead',
        text('Days ahead for large orders'),
        text('If a product of the categories below is in the order.')
      ),
      field(
        'categories',
        'longCategories',
        text('Categories for large orders'),
        text('Such as Seer Items, which families order months before a wedding.')
      )
    ]),
    group(
      text('How much can you make in a day?'),
      text('A full day can’t be chosen. 0 means no limit.'),
      [
        field('whole', 'ordersPerDay', text('Orders per day')),
        field(
          'whole',
          'unitsPerDay',
          text('Packs per day'),
          text('A product that is twice the work counts as 2 packs.')
        )
      ]
    ),
    group(text('At checkout'), '', [
      field('checkbox', 'orderNote', text('Customers can write a note to their order')),
      field(
        'categories',
        'eventCategories',
        text('Ask for date and time of the event'),
        text('For orders with a product of these categories.')
      )
    ])
  ]
}
