import { SETTING_LIMITS } from '../constants.ts'
import type { PolicyName } from '../contract/names.ts'
import { POLICIES } from '../settings.ts'
import { field, group, listField, searchText, type InputSpec, type SectionForm } from './fields.ts'
import { text } from '../contract/texts.ts'

export const PLACEHOLDERS = text(
  'Pages replace these words with your details: {name}, {email}, {phone}, {address}, {hours}, ' +
    '{fssai}, {gstin}, {grievanceOfficer}.'
)

export const LEGAL_FORM: SectionForm = {
  title: text('Legal'),
  purpose: text('Your food licence, and who answers complaints. Bills and every page show them.'),
  page: 'contact',
  groups: [
    group('Food licence', '', [
      field('text', 'fssai', 'FSSAI number', 'Your food licence number: 14 digits.')
    ]),
    group(
      'Who answers complaints?',
      'The law asks online shops to name one person, the “grievance officer”. It can be you. ' +
        'This person answers a complaint within 48 hours and settles it within one month.',
      [
        field('text', 'grievanceOfficer.name', 'Name'),
        field('text', 'grievanceOfficer.designation', 'Role', {
          isTranslated: true,
          hint: 'For example Owner.'
        })
      ]
    )
  ]
}

const REGISTERED = ['status', 'regular', 'composition'] as const
const RULE_FIELDS: readonly InputSpec[] = [
  field('percent', 'rate', 'GST rate (%)', 'For example 5. Your accountant knows it.'),
  field('text', 'hsn', 'HSN code', {
    max: 8,
    hint: 'The tax office’s number for this kind of food: 4, 6 or 8 digits, for example 2106.'
  }),
  field(
    'date',
    'from',
    'Applies from',
    'Bills from this day on. For a new rate, add an entry and keep the old one.'
  )
]

export const TAX_FORM: SectionForm = {
  title: text('Tax'),
  purpose: text('Your GST number and rates. Prices include tax. Old bills never change.'),
  groups: [
    group('Do you have a GST number?', 'Not sure? Ask an accountant.', [
      field('radio', 'status', 'Do you have a GST number?', {
        choices: [
          ['unregistered', text('No')],
          ['regular', text('Yes, and my bills show GST')],
          [
            'composition',
            text(
              'Yes, but I pay a small fixed percentage (composition) and can’t show tax on bills'
            )
          ]
        ]
      }),
      field('code', 'gstin', 'GST number (GSTIN)', {
        hint: '15 letters and digits.',
        needs: REGISTERED
      })
    ]),
    group(
      'Rates',
      'Ask your accountant for the rates and the HSN codes.',
      [
        listField(
          'rates',
          'Rates of categories',
          'rate',
          {
            hint: 'One entry must be for all other categories.',
            max: SETTING_LIMITS.taxRates,
            isDense: true
          },
          [
            field('category', 'category', 'Category', {
              empty: 'All other categories'
            }),
            ...RULE_FIELDS
          ]
        ),
        listField(
          'products',
          'Rates of single products',
          'product rate',
          {
            hint: 'Only for products that differ from their category.',
            max: SETTING_LIMITS.taxProducts,
            isDense: true
          },
          [field('product', 'product', 'Product'), ...RULE_FIELDS]
        )
      ],
      ['status', 'regular']
    ),
    group('Other states', '', [field('checkbox', 'otherStates', 'We deliver to other states')]),
    group(
      'Ask an accountant first',
      'Without a GST number you usually need one before you sell to other states. With a small ' +
        'fixed percentage (composition) you may not sell to them.',
      [
        field('checkbox', 'accountantAsked', 'I have asked an accountant, and may deliver there', {
          needs: ['status', 'unregistered', 'composition']
        })
      ],
      ['otherStates', 'true']
    )
  ]
}

export const POLICIES_FORM: SectionForm = {
  title: text('Policies'),
  purpose: text('Answer five questions. We write the four pages that the law asks for.'),
  groups: [
    group('Your rules', '', [
      field('choice', 'dispatchDays', 'How long until an order leaves your kitchen, at most?', {
        choices: [
          ['1', text('1 day')],
          ['2', text('2 days')],
          ['3', text('3 days')],
          ['5', text('5 days')],
          ['7', text('7 days')]
        ]
      }),
      field('choice', 'cancel', 'Until when can customers cancel?', {
        choices: [
          ['day', text('On the day they order')],
          ['packed', text('Until the order is packed')]
        ],
        hint: 'Only food that keeps. You choose it under Orders.'
      }),
      field('choice', 'broken', 'Something arrives broken. Until when must they tell you?', {
        choices: [
          ['the same day', text('On the same day')],
          ['within 2 days', text('Within 2 days')]
        ]
      }),
      field('choice', 'refundDays', 'How long until the money is back in their account?', {
        choices: [
          ['3 to 5', text('3 to 5 days')],
          ['5 to 8', text('5 to 8 days')],
          ['7 to 10', text('7 to 10 days')]
        ]
      }),
      field('choice', 'delivers', 'Who brings the orders?', {
        choices: [
          ['', text('As I choose under Delivery')],
          ['own', text('We do')],
          ['courier', text('A courier')],
          ['both', text('We do nearby, a courier farther away')]
        ]
      })
    ])
  ]
}

export const policyForm = (policy: PolicyName, purpose: string): SectionForm => ({
  title: POLICIES[policy].title,
  purpose,
  page: policy,
  groups: [
    group('Policy', '', [
      field('markdown', 'text', 'Text', {
        isTranslated: true,
        max: SETTING_LIMITS.policy,
        hint: PLACEHOLDERS
      }),
      searchText
    ])
  ]
})
