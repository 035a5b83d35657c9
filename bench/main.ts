import { removeFolder, temporaryFolder } from '../tests/support/server.ts'
import { accounts } from './accounts.ts'
import { checkout } from './checkout.ts'
import { cpu } from './cpu.ts'
import { imports } from './imports.ts'
import { interactive } from './interactive.ts'
import { lighthouse } from './lighthouse.ts'
import { publish } from './publish.ts'
import { scale } from './scale.ts'
import { search } from './search.ts'
import { sizes } from './sizes.ts'
import { start } from './start.ts'
import { formatTable, type Bench } from './table.ts'

/** The benchmarks run in this order. `start` is first because it needs an empty data folder. */
const BENCHES: Record<string, Bench> = {
  start,
  sizes,
  interactive,
  search,
  cpu,
  checkout,
  imports,
  accounts,
  scale,
  publish,
  lighthouse
}

const requested = process.argv.slice(2)
const unknown = requested.filter(name => !(name in BENCHES))
if (unknown.length > 0) {
  const available = Object.keys(BENCHES).join(', ')
  process.stderr.write(`Unknown benchmark: ${unknown.join(', ')}. Available: ${available}.\n`)
  process.exit(2)
}

const dataDir = temporaryFolder()
try {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (requested.length === 0 || requested.includes(name))
      process.stdout.write(`${formatTable(await bench(dataDir))}\n\n`)
  }
} finally {
  removeFolder(dataDir)
}
