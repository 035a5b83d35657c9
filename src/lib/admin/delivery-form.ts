import { SETTING_LIMITS } from '../constants.ts'
import { area, listOf, textField, type SectionForm } from './settings-fields.ts'

export const DELIVERY_FORM: SectionForm = {
  title: 'Delivery',
  purpose: 'Where you deliver, by whom, and for which fee.',
  groups: [
    {
      legend: 'Zones',
      fields: [
        listOf('zones', 'Zones', 'zone', [textField('name', 'Name'), area('pincodes', 'Pincodes')], {
          max: SETTING_LIMITS.zones
        })
      ]
    }
  ]
}

export const CALENDAR_FORM: SectionForm = {
  title: 'Delivery days',
  purpose: 'On which days you deliver, and how many orders you can cook for a day.',
  groups: [
    {
      legend: 'Days',
      fields: [textField('cutOff', 'Orders until', 'Time of day, such as 18:00. Later orders count for the next day.')]
    }
  ]
}
