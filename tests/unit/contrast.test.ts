import axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import theme from '../../tailwind.config.mjs'

interface Colour {
  parseString: (text: string) => void
}
interface AxeColours {
  Color: new () => Colour
  flattenColors: (above: Colour, below: Colour) => Colour
  getContrast: (ground: Colour, text: Colour) => number
}

const { Color, flattenColors, getContrast } = (axe.commons as unknown as { color: AxeColours })
  .color
const { cream, paper, ink, chilli, turmeric, leaf, peacock, mahogany, status } = theme.theme.colors
const TINTS = [...readFileSync('src/styles/base.css', 'utf8').matchAll(/--tint: ([\d ]+);/g)]
const SOFT_TINTS = TINTS.map(([, parts]) => `rgb(${parts} / 0.14)`)
const LIGHT = [cream.DEFAULT, cream.deep, paper, ...SOFT_TINTS]

test.each<[string, string, readonly string[], number?]>([
  ['ink', ink.DEFAULT, [...LIGHT, turmeric, ...Object.values(status)]],
  ['ink/70', `${ink.DEFAULT}B3`, LIGHT],
  ['chilli', chilli.DEFAULT, LIGHT],
  ['leaf', leaf, [cream.DEFAULT, cream.deep, paper]],
  ['peacock', peacock.DEFAULT, LIGHT],
  ['paper', paper, [chilli.DEFAULT, chilli.deep, leaf, peacock.DEFAULT, ink.deep]],
  ['cream', cream.DEFAULT, [peacock.DEFAULT, peacock.deep, mahogany, ink.DEFAULT]],
  ['cream/80', `${cream.DEFAULT}CC`, [mahogany, peacock.DEFAULT]],
  ['turmeric', turmeric, [peacock.deep, mahogany, ink.deep]],
  ['large turmeric', turmeric, [peacock.DEFAULT], 3],
  ['the frame of a field', `${ink.DEFAULT}80`, [paper], 3]
])('%s can be read on every ground that it has', (_name, text, grounds, minimum = 4.5) => {
  for (const ground of grounds) {
    const solid = flattenColors(toColour(ground), toColour(cream.DEFAULT))
    expect(getContrast(solid, toColour(text)), ground).toBeGreaterThanOrEqual(minimum)
  }
})

function toColour(text: string) {
  const colour = new Color()
  colour.parseString(text)
  return colour
}
