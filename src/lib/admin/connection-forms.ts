import { field, group, type SectionForm } from './fields.ts'
import { text } from '../contract/texts.ts'

/** Accounts that the shop uses at others. */
export const CONNECTION_FORMS: Readonly<Record<'mail' | 'payments', SectionForm>> = {
  mail: {
    title: text('Email'),
    purpose: text('How your shop sends mail: login codes, and news about orders.'),
    groups: [
      group('Your email account', '', [
        field('slug', 'user', 'User name'),
        field('secret', 'password', 'Password'),
        field('slug', 'server', 'Mail server'),
        field('whole', 'port', 'Port', 'Usually 587 or 465.')
      ]),
      group('What customers see', '', [
        field(
          'email',
          'sender',
          'Sender',
          'Leave empty to send from your own address or that of the shop.'
        ),
        field('area', 'signature', 'Signature', {
          isTranslated: true,
          hint: 'Last lines of each email. Leave empty for the name of the shop.'
        })
      ])
    ]
  },
  payments: {
    title: text('Payments'),
    purpose: text('How customers pay you: by UPI, card or net banking, with Razorpay.'),
    groups: [
      group('Your Razorpay account', '', [
        field('slug', 'keyId', 'Key id', 'Begins with rzp_live_, or with rzp_test_ to try it.'),
        field('secret', 'keySecret', 'Key secret'),
        field('secret', 'webhookSecret', 'Webhook secret')
      ])
    ]
  }
}
