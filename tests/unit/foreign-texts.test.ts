import { expect, test } from 'vitest'
import { readSize, toPlainText } from '#server/catalog/foreign-texts.ts'

test.each([
  ['250 g', '250gms', 'Snack, 250g', '0,25 kg', '¼ kg', '1/4 Kilo', '.25kg', '250 கிராம்'],
  ['500 g', '2 x 250 g', '500GM (Pack of 2)', '250g x 2', '½ kg'],
  ['1 kg', '1,000 g', '1.000 kg', '1000 Grams'],
  ['1500 g', '1½ kg', '1.5KG'],
  ['1 l', '1 Litre', '1000 ML'],
  ['12 piece', '12 pcs', 'Pack of 12', '1 dozen', '12 Nos.'],
  [undefined, 'Large', '0.0 g', '6"', '7 Cup Burfi', 'kg', '']
])('reads the pack size %s', (size, ...texts) => {
  for (const text of texts) {
    const found = readSize(text ?? '')
    expect(found && `${found.value} ${found.unit}`, text).toBe(size)
  }
})

test.each([
  ['<p>Soft &amp; <b>fresh</b>&nbsp;.</p>\n<p>Two<br>lines</p>', 'Soft & fresh .\n\nTwo\nlines'],
  ['<ul>\n \t<li>Besan</li>\n<li><p>Ghee</p></li><li></li></ul>End', '• Besan\n• Ghee\n\nEnd'],
  ['<style>p{}</style>A<script>alert(1)</script><!-- wp:x -->B', 'AB'],
  ['<table><tr><td>Energy</td><td>520</td></tr></table>', 'Energy 520'],
  ['Plain\n\n\n\n5 < 6 &#8377;100 &lt;b&gt;', 'Plain\n\n5 < 6 ₹100 <b>']
])('reads %s as plain text', (html, text) => {
  expect(toPlainText(html).text).toBe(text)
})
