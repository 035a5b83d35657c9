import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import theme from '../../tailwind.config.mjs'

type Colour = readonly [red: number, green: number, blue: number]

const { cream, paper, ink, chilli, turmeric, leaf, peacock, mahogany, status } = theme.theme.colors
const TINTS = [...readFileSync('src/styles/base.css', 'utf8').matchAll(/--tint: ([\d ]+);/g)]
const SOFT_TINTS = TINTS.map(([, parts = '']) => blend(parts.split(' ').map(Number), 0.14))
const LIGHT = [cream.DEFAULT, cream.deep, paper]
const TEXT = 4.5
const LARGE_TEXT_AND_LINES = 3

test.each<[string, Colour | string, readonly (Colour | string)[], number]>([
  ['ink', ink.DEFAULT, [...LIGHT, ...SOFT_TINTS, turmeric, ...Object.values(status)], TEXT],
  ['quiet ink', blend(toRgb(ink.DEFAULT), 0.7), [...LIGHT, ...SOFT_TINTS], TEXT],
  ['chilli', chilli.DEFAULT, [...LIGHT, ...SOFT_TINTS], TEXT],
  ['leaf', leaf, LIGHT, TEXT],
  ['peacock', peacock.DEFAULT, LIGHT, TEXT],
  ['paper', paper, [chilli.DEFAULT, chilli.deep, leaf, peacock.DEFAULT, ink.deep], TEXT],
  ['cream', cream.DEFAULT, [peacock.DEFAULT, peacock.deep, mahogany, ink.DEFAULT], TEXT],
  ['quiet cream', blend(toRgb(cream.DEFAULT), 0.8, mahogany), [mahogany], TEXT],
  ['turmeric', turmeric, [peacock.deep, mahogany, ink.deep], TEXT],
  ['large turmeric', turmeric, [peacock.DEFAULT], LARGE_TEXT_AND_LINES],
  ['frames of fields', blend(toRgb(ink.DEFAULT), 0.5, paper), [paper], LARGE_TEXT_AND_LINES]
])('%s can be read on every ground that it has', (_name, text, grounds, minimum) => {
  const contrasts = grounds.map(ground => contrastOf(toRgb(text), toRgb(ground)))
  expect(Math.min(...contrasts), String(contrasts)).toBeGreaterThanOrEqual(minimum)
})

function toRgb(colour: Colour | string): Colour {
  if (typeof colour !== 'string') return colour
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\dA-F]{2}/gi) ?? []).map(hex =>
    Number.parseInt(hex, 16)
  )
  return [red, green, blue]
}

function blend(colour: readonly number[], share: number, ground: string = cream.DEFAULT): Colour {
  const [red, green, blue] = toRgb(ground)
  const mix = (value = 0, below = 0): number => value * share + below * (1 - share)
  return [mix(colour[0], red), mix(colour[1], green), mix(colour[2], blue)]
}

/** WCAG 2.2, definition of the contrast ratio. */
function contrastOf(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
