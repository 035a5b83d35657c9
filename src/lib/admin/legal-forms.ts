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
    group(text('Food licence'), '', [
      field('text', 'fssai', text('FSSAI number'), text('Your food licence number: 14 digits.'))
    ]),
    group(
      text('Who answers complaints?'),
      text(
        'The law asks online shops to name one person, the “grievance officer”. It can be you. ' +
          'This person answers a complaint within 48 hours and settles it within one month.'
      ),
      [
        field('text', 'grievanceOfficer.name', text('Name')),
        field('text', 'grievanceOfficer.designation', text('Role'), {
          isTranslated: true,
          hint: text('For example Owner.')
        })
      ]
    )
  ]
}

const REGISTERED = ['status', 'regular', 'composition'] as const
const RULE_FIELDS: readonly InputSpec[] = [
  field('percent', 'rate', text('GST rate (%)'), text('For example 5. Your accountant knows it.')),
  field('text', 'hsn', text('HSN code'), {
    max: 8,
    hint: text('The tax office’s number for this kind of food: 4, 6 or 8 digits, for example 2106.')
  }),
  field(
    'date',
    'from',
    text('Applies from'),
    text('Bills from this day on. For a new rate, add an entry and keep the old one.')
  )
]

export const TAX_FORM: SectionForm = {
  title: text('Tax'),
  purpose: text('Your GST number and rates. Prices include tax. Old bills never change.'),
  groups: [
    group(text('Do you have a GST number?'), text('Not sure? Ask an accountant.'), [
      field('radio', 'status', text('Do you have a GST number?'), {
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
      field('code', 'gstin', text('GST number (GSTIN)'), {
        hint: text('15 letters and digits.'),
        needs: REGISTERED
      })
    ]),
    group(
      text('Rates'),
      text('Ask your accountant for the rates and the HSN codes.'),
      [
        listField(
          'rates',
          text('Rates of categories'),
          text('rate'),
          {
            hint: text('One entry must be for all other categories.'),
            max: SETTING_LIMITS.taxRates,
            isDense: true
          },
          [
            field('category', 'category', text('Category'), {
              empty: text('All other categories')
            }),
            ...RULE_FIELDS
          ]
        ),
        listField(
          'products',
          text('Rates of single products'),
          text('product rate'),
          {
            hint: text('Only for products that differ from their category.'),
            max: SETTING_LIMITS.taxProducts,
            isDense: true
          },
          [field('product', 'product', text('Product')), ...RULE_FIELDS]
        )
      ],
      ['status', 'regular']
    ),
    group(text('Other states'), '', [
      field('checkbox', 'otherStates', text('We deliver to other states'))
    ]),
    group(
      text('Ask an accountant first'),
      text(
        'Without a GST number you usually need one before you sell to other states. With a small ' +
          'fixed percentage (composition) you may not sell to them.'
      ),
      [
        field(
          'checkbox',
          'accountantAsked',
          text('I have asked an accountant, and may deliver there'),
          {
            needs: ['status', 'unregistered', 'composition']
          }
        )
      ],
      ['otherStates', 'true']
    )
  ]
}

export const POLICIES_FORM: SectionForm = {
  title: text('Policies'),
  purpose: text('Answer five questions. We write the four pages that the law asks for.'),
  groups: [
    group(text('Your rules'), '', [
      field(
        'choice',
        'dispatchDays',
        text('How long until an order leaves your kitchen, at most?'),
        {
          choices: [
            ['1', text('1 day')],
            ['2', text('2 days')],
            ['3', text('3 days')],
            ['5', text('5 days')],
            ['7', text('7 days')]
          ]
        }
      ),
      field('choice', 'cancel', text('Until when can customers cancel?'), {
        choices: [
          ['day', text('On the day they order')],
          ['packed', text('Until the order is packed')]
        ],
        hint: text('Only food that keeps. You choose it under Orders.')
      }),
      field('choice', 'broken', text('Something arrives broken. Until when must they tell you?'), {
        choices: [
          ['the same day', text('On the same day')],
          ['within 2 days', text('Within 2 days')]
        ]
      }),
      field('choice', 'refundDays', text('How long until the money is back in their account?'), {
        choices: [
          ['3 to 5', text('3 to 5 days')],
          ['5 to 8', text('5 to 8 days')],
          ['7 to 10', text('7 to 10 days')]
        ]
      }),
      field('choice', 'delivers', text('Who brings the orders?'), {
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
    group(text('Policy'), '', [
      field('markdown', 'text', text('Text'), {
        isTranslated: true,
        max: SETTING_LIMITS.policy,
        hint: PLACEHOLDERS
      }),
      searchText
    ])
  ]
})
