import { SETTING_LIMITS } from '../constants.ts'
import {
  area,
  listField,
  textField,
  whole,
  type InputSpec,
  type SectionForm
} from './settings-fields.ts'

const ZONE_FIELDS: readonly InputSpec[] = [
  {
    ...textField('name', 'Name', 'Customers see it, for example “Tiruchirappalli city”.'),
    max: SETTING_LIMITS.name
  },
  {
    ...area(
      'pincodes',
      'Pincodes',
      'For example 620001-620026, 6210, 625: ranges and first digits. Empty means all.'
    ),
    max: SETTING_LIMITS.zonePincodes
  },
  {
    kind: 'choice',
    name: 'method',
    label: 'Delivered',
    choices: [
      ['own', 'by ourselves'],
      ['courier', 'by a courier']
    ]
  },
  { kind: 'checkbox', name: 'active', label: 'Use this zone' },
  {
    kind: 'amount',
    name: 'fee',
    label: 'Delivery fee',
    hint: 'In rupees. Enter 0 for free delivery.'
  },
  {
    kind: 'amount',
    name: 'freeAbove',
    label: 'Free from',
    hint: 'In rupees, for goods after discounts. Enter 0 if the fee is always due.'
  },
  { ...whole('transitMin', 'Courier takes at least', 'In days.'), needs: ['method', 'courier'] },
  {
    ...whole(
      'transitMax',
      'Courier takes at most',
      'In days. An order leaves the kitchen this many days earlier.'
    ),
    needs: ['method', 'courier']
  }
]

export const DELIVERY_FORM: SectionForm = {
  title: 'Delivery',
  purpose: 'Where you deliver, by whom, and for which fee.',
  groups: [
    {
      legend: 'Zones',
      hint: 'The first zone that has the pincode applies. Without zones, you deliver to all of India without a fee, unless you choose otherwise below.',
      fields: [
        listField('zones', 'Zones', 'zone', ZONE_FIELDS, {
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
        })
      ]
    },
    {
      legend: 'Everywhere else in India',
      fields: [
        {
          kind: 'choice',
          name: 'elsewhere',
          label: 'Pincodes in no zone',
          choices: [
            ['', 'Please choose'],
            ['none', 'We don’t deliver'],
            ['courier', 'By courier']
          ],
          hint: 'Choose this as soon as you have a zone.'
        },
        {
          kind: 'amount',
          name: 'elsewhereFee',
          label: 'Delivery fee',
          hint: 'In rupees. Enter 0 for free delivery.',
          needs: ['elsewhere', 'courier']
        },
        {
          ...whole(
            'elsewhereDays',
            'Courier takes at most',
            'In days. An order leaves the kitchen this many days earlier.'
          ),
          needs: ['elsewhere', 'courier']
        }
      ]
    },
    {
      legend: 'Pickup',
      hint: 'At the address under Shop details, which must be complete.',
      fields: [
        { kind: 'checkbox', name: 'pickup', label: 'Customers can pick up orders' },
        area(
          'pickupText',
          'Hours and directions',
          'For example “9 am to 6 pm, ring at the green gate”.'
        )
      ]
    }
  ]
}

export const CALENDAR_FORM: SectionForm = {
  title: 'Delivery days',
  purpose: 'On which days you deliver, and how many orders you can cook for a day.',
  groups: [
    {
      legend: 'Earliest day',
      fields: [
        whole(
          'leadDays',
          'Days to prepare',
          'With 2, an order of Monday is ready on Wednesday. Closed days between count too.'
        ),
        {
          kind: 'time',
          name: 'cutOff',
          label: 'Orders until',
          hint: 'India time. Later orders count as those of the next day. Leave empty for midnight.'
        }
      ]
    },
    {
      legend: 'Closed days',
      hint: 'The kitchen neither cooks nor packs on these days. For a time without orders, set a holiday under Orders.',
      fields: [
        { kind: 'weekdays', name: 'closedWeekdays', label: 'Closed every' },
        listField(
          'closedDates',
          'Closed dates',
          'closed date',
          [{ kind: 'date', name: '', label: 'Date' }],
          {
            max: SETTING_LIMITS.closedDates,
            isUnordered: true
          }
        )
      ]
    },
    {
      legend: 'Days ahead',
      fields: [
        whole('daysAhead', 'Orders up to', 'Days ahead.'),
        whole(
          'longDaysAhead',
          'Large orders up to',
          'Days ahead, with products of the categories below.'
        ),
        {
          kind: 'categories',
          name: 'longCategories',
          label: 'Categories for large orders',
          hint: 'Such as Seer Items, which families order months before a wedding.'
        }
      ]
    },
    {
      legend: 'Daily limits',
      hint: 'A full day cannot be chosen. Enter 0 for no limit.',
      fields: [
        whole('ordersPerDay', 'Orders per day'),
        whole(
          'unitsPerDay',
          'Kitchen units per day',
          'Each product says how many units a pack takes, usually 1.'
        )
      ]
    },
    {
      legend: 'At checkout',
      fields: [
        { kind: 'checkbox', name: 'orderNote', label: 'Customers can write a note to their order' },
        {
          kind: 'categories',
          name: 'eventCategories',
          label: 'Ask for date and time of the event',
          hint: 'For orders with a product of these categories.'
        }
      ]
    }
  ]
}
