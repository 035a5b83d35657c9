import { api } from '#lib/api.ts'
import { t } from '#lib/contract/texts.ts'
import { PATHS } from '#lib/paths.ts'
import { dateFormat, formatDayAndTime, SECOND, toDayInIndia } from '#lib/time.ts'
import { TIME_ZONE } from '#lib/constants.ts'

const RETRY_INTERVAL = 10 * SECOND
const formatTime = dateFormat({ hour: 'numeric', minute: '2-digit', timeZone: TIME_ZONE })

const bar = Object.assign(document.createElement('p'), {
  role: 'status',
  className:
    'bg-turmeric px-4 py-2 text-center text-sm font-semibold text-balance text-ink print:hidden'
})
/** Shown at the address of the page that could not be loaded. */
const isOfflinePage = document.querySelector('[data-offline]') !== null
let timer: ReturnType<typeof setInterval> | undefined

async function show() {
  timer ??= setInterval(tryAgain, RETRY_INTERVAL)
  if (bar.isConnected || isOfflinePage) return
  document.querySelector('#main')?.before(bar)
  bar.textContent = await describe()
}

function hide() {
  clearInterval(timer)
  timer = undefined
  bar.remove()
  // Not at its own address, where it would come back.
  if (isOfflinePage && !location.pathname.endsWith(PATHS.offline)) location.reload()
}

/** A device may have a network without a connection to the shop. */
function tryAgain() {
  void api('GET /status').then(
    () => dispatchEvent(new Event('online')),
    () => undefined
  )
}

async function describe() {
  if (location.pathname.endsWith('/cart'))
    return t('You’re offline. Your cart is kept; to pay you need a connection.')
  if (!document.querySelector('main')?.textContent?.includes('₹')) return t('You’re offline')
  const time = await readTime().catch(() => performance.timeOrigin)
  const iso = new Date(time).toISOString()
  const isToday = toDayInIndia(time) === toDayInIndia(Date.now())
  return t('You’re offline. Prices as of {time}.', {
    time: isToday ? formatTime(iso) : formatDayAndTime(iso)
  })
}

/** When prices were last checked; else, when the service worker got this page, or it was loaded. */
async function readTime() {
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const checked = resources.findLast(
    ({ name, decodedBodySize }) => name.includes('/catalog/live') && decodedBodySize > 0
  )
  if (checked) return performance.timeOrigin + checked.responseEnd
  const kept = await caches.match(location.pathname, { ignoreVary: true })
  return Date.parse(kept?.headers.get('date') ?? '') || performance.timeOrigin
}

addEventListener('online', hide)
addEventListener('offline', () => void show())
void show()
