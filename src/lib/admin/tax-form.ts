import { SETTING_LIMITS } from '../constants.ts'
import type { TaxStatus } from '../contract/names.ts'
import { listField, type InputSpec, type SectionForm } from './settings-fields.ts'

const STATUS_LABELS: Readonly<Record<TaxStatus, string>> = {
  unregistered: 'Not registered: invoice without tax',
  composition: 'Composition: bill of supply',
  regular: 'Regular: tax invoice'
}

const RULE_FIELDS: readonly InputSpec[] = [
  {
    kind: 'percent',
    name: 'rate',
    label: 'GST rate (%)',
    hint: 'CGST and SGST together, for example 5.'
  },
  {
    kind: 'text',
    name: 'hsn',
    label: 'HSN code',
    max: 8,
    hint: '4, 6 or 8 digits, for example 2106.'
  },
  {
    kind: 'date',
    name: 'from',
    label: 'Applies from',
    hint: 'Invoices from this day on. For a new rate, add an entry and keep the old one.'
  }
]

export const TAX_FORM: SectionForm = {
  title: 'Tax',
  purpose: 'GST status, rates and HSN codes. Prices include tax. Issued invoices never change.',
  groups: [
    {
      legend: 'GST registration',
      hint: 'Ask an accountant which one applies to you.',
      fields: [
        {
          kind: 'choice',
          name: 'status',
          label: 'Your shop is',
          choices: Object.entries(STATUS_LABELS),
          hint: 'Composition and regular need your GSTIN, which is under Legal.'
        }
      ]
    },
    {
      legend: 'Rates of categories',
      hint: 'Regular shops need an entry for all other categories. An accountant must confirm rates and HSN codes.',
      fields: [
        listField(
          'rates',
          'Rates of categories',
          'rate',
          [
            {
              kind: 'category',
              name: 'category',
              label: 'Category',
              empty: 'All other categories'
            },
            ...RULE_FIELDS
          ],
          { max: SETTING_LIMITS.taxRates, isDense: true }
        )
      ]
    },
    {
      legend: 'Rates of single products',
      hint: 'Only for products whose rate or HSN code differs from their category.',
      fields: [
        listField(
          'products',
          'Rates of single products',
          'product rate',
          [{ kind: 'product', name: 'product', label: 'Product' }, ...RULE_FIELDS],
          { max: SETTING_LIMITS.taxProducts, isDense: true }
        )
      ]
    },
    {
      legend: 'Other states',
      hint: 'Composition shops may not sell to other states, and shops without registration usually must register before they do. Ask an accountant first. Regular shops need not tick the second box.',
      fields: [
        { kind: 'checkbox', name: 'otherStates', label: 'Deliver to other states' },
        {
          kind: 'checkbox',
          name: 'accountantAsked',
          label: 'I have asked an accountant, and may deliver to other states'
        }
      ]
    }
  ]
}
