import { HASTE, hastened, type Haste } from './haste.ts'

// Loaded before a command of the shop: holds, checks and pauses of minutes then take seconds, by its own code and clock.
const { least, ...haste } = JSON.parse(process.env[HASTE] ?? '') as Haste & { least: number }

Date.now = hastened(haste, Date.now.bind(Date))
for (const name of ['setTimeout', 'setInterval'] as const) {
  const start = globalThis[name] as (run: () => void, ms?: number, ...rest: unknown[]) => NodeJS.Timeout
  const sooner = (run: () => void, ms = 0, ...rest: unknown[]): NodeJS.Timeout =>
    start(run, ms >= least ? ms / haste.rate : ms, ...rest)
  Object.defineProperties(sooner, Object.getOwnPropertyDescriptors(start))
  Object.assign(globalThis, { [name]: sooner })
}
