import { field, group, type SectionForm } from './fields.ts'
import { text } from '../contract/texts.ts'

/** Accounts that the shop uses at others. */
export const CONNECTION_FORMS: Readonly<Record<'mail' | 'payments', SectionForm>> = {
  mail: {
    title: text('Email'),
    purpose: text('How your shop sends mail: login codes, and news about orders.'),
    groups: [
      group(text('Your email account'), '', [
        field('slug', 'user', text('User name')),
        field('secret', 'password', text('Password')),
        field('slug', 'server', text('Mail server')),
        field('whole', 'port', text('Port'), text('Usually 587 or 465.'))
      ]),
      group(text('What customers see'), '', [
        field(
          'email',
          'sender',
          text('Sender'),
          text('Leave empty to send from your own address or that of the shop.')
        ),
        field('area', 'signature', text('Signature'), {
          isTranslated: true,
          hint: text('Last lines of each email. Leave empty for the name of the shop.')
        })
      ])
    ]
  },
  payments: {
    title: text('Payments'),
    purpose: text('How customers pay you: by UPI, card or net banking, with Razorpay.'),
    groups: [
      group(text('Your Razorpay account'), '', [
        field(
          'slug',
          'keyId',
          text('Key id'),
          text('Begins with rzp_live_, or with rzp_test_ to try it.')
        ),
        field('secret', 'keySecret', text('Key secret')),
        field('secret', 'webhookSecret', text('Webhook secret'))
      ])
    ]
  }
}
