import { expect, test } from 'vitest'
import { toPaise } from '#lib/money.ts'
import { formatAmountInWords } from '#lib/tax/invoice.ts'

test.for([
  [0, 'Rupees Zero Only'],
  [5, 'Five Paise Only'],
  [100, 'Rupees One Only'],
  [1999, 'Rupees Nineteen and Ninety Nine Paise Only'],
  [4000, 'Rupees Forty Only'],
  [64_000, 'Rupees Six Hundred Forty Only'],
  [100_050, 'Rupees One Thousand and Fifty Paise Only'],
  [1_234_567, 'Rupees Twelve Thousand Three Hundred Forty Five and Sixty Seven Paise Only'],
  [12_000_000, 'Rupees One Lakh Twenty Thousand Only'],
  [1_000_000_000, 'Rupees One Crore Only'],
  [
    1_234_567_891_00,
    'Rupees One Hundred Twenty Three Crore Forty Five Lakh Sixty Seven Thousand Eight Hundred Ninety One Only'
  ]
] as const)('%d paise is written as %s', ([amount, text]) =>
  expect(formatAmountInWords(toPaise(amount))).toBe(text)
)
