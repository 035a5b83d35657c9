import { SETTING_LIMITS } from '../constants.ts'
import type { TaxStatus } from '../contract/names.ts'
import { field, group, listField, type InputSpec, type SectionForm } from './fields.ts'

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
      'Regular shops need an entry for all other categories. An accountant must confirm rates and HSN codes.',
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
      'Composition shops may not sell to other states, and shops without registration usually must register before they do. Ask an accountant first. Regular shops need not tick the second box.',
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
