import { expect, test } from 'vitest'
import { suggestEmail } from '#lib/account/forms.ts'

test.for([
  ['priya@gmial.com', 'priya@gmail.com'],
  ['Priya@Gmail.con', 'priya@gmail.com'],
  ['priya@gmai.com', 'priya@gmail.com'],
  ['priya@gmail.co', 'priya@gmail.com'],
  ['priya@gmaill.com', 'priya@gmail.com'],
  ['priya@gmail.comm', 'priya@gmail.com'],
  ['priya@yaho.co.in', 'priya@yahoo.co.in'],
  ['priya@hotmial.com', 'priya@hotmail.com'],
  ['priya@rediffmal.com', 'priya@rediffmail.com']
] as const)('The address %s gets the suggestion %s', ([typed, meant]) => {
  expect(suggestEmail(typed)).toBe(meant)
})

test.for([
  ...[
    'priya@gmail.com',
    'priya@yahoo.in',
    'priya@ymail.com',
    'priya@mail.com',
    'priya@example.com'
  ],
  ...['priya@gmail', 'gmial.com', '', 'priya@', '@gmial.com', 'priya@tce.edu']
])('The address "%s" gets no suggestion', typed => {
  expect(suggestEmail(typed)).toBeUndefined()
})
