import { parseArgs } from 'node:util'
import { interactive, sizes } from './browser.ts'
import { search } from './search.ts'
import { checkout, publish, requests, start } from './server.ts'
import { quantile, removeTemplates, type Figures } from './shop.ts'

const BENCHES: Record<string, (root: string) => Promise<Figures>> = {
  start,
  requests,
  checkout,
  publish,
  search,
  sizes,
  interactive
}
const TURNS = 5

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' } }
})
const unknown = positionals.filter(name => !(name in BENCHES))
if (unknown.length > 0) {
  const available = Object.keys(BENCHES).join(', ')
  process.stderr.write(`Unknown benchmark: ${unknown.join(', ')}. Available: ${available}.\n`)
  process.exit(2)
}
const print = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)

try {
  for (const [name, bench] of Object.entries(BENCHES))
    if (positionals.length === 0 || positionals.includes(name)) await run(name, bench)
} finally {
  removeTemplates()
}

/** With `--against FOLDER`, the project there and this one are measured in turns. */
async function run(name: string, bench: (root: string) => Promise<Figures>) {
  const { against } = values
  const roots = against === undefined ? ['.'] : [against, '.']
  const rounds: Figures[][] = roots.map(() => [])
  for (let turn = 0; turn < (against === undefined ? 1 : TURNS); turn++)
    for (const [index, root] of roots.entries()) rounds[index]?.push(await bench(root))
  const columns = against === undefined ? ['measured'] : ['there', 'here', 'here ÷ there']
  print([name, ...columns])
  print(['---', ...columns.map(() => '---:')])
  for (const figure of Object.keys(rounds[0]?.[0] ?? {})) {
    const medians = rounds.map(turns => quantile(turns.map(figures => figures[figure] ?? NaN)))
    const [there = NaN, here = NaN] = medians
    print([figure, ...[...medians, here / there].slice(0, columns.length).map(shorten)])
  }
  console.log('')
}

function shorten(value: number) {
  return Math.abs(value) < 1000 ? Number(value.toPrecision(3)) : Math.round(value)
}
