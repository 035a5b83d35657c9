import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import type { Dashboard } from '#lib/contract/admin.ts'
import { locale } from '#lib/contract/texts.ts'
import { dateFormat } from '#lib/time.ts'

const shortDay = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' })

export function SalesChart({ sales }: Pick<Dashboard, 'sales'>) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = container
    if (!current) return
    const days = sales.map((_, index) => index)
    const chart = new uPlot(
      createOptions(current, sales),
      [days, sales.map(({ total }) => total)],
      current
    )
    const resize = new ResizeObserver(() => chart.setSize(readSize(current)))
    resize.observe(current)
    return () => {
      resize.disconnect()
      chart.destroy()
    }
  }, [sales])
  return <div ref={container} className="h-full overflow-hidden" />
}

function createOptions(container: HTMLElement, sales: Dashboard['sales']): uPlot.Options {
  const ink = getComputedStyle(container).color
  const compact = new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 })
  const font = `13px ${getComputedStyle(container).fontFamily}`
  const maxTotal = Math.max(...sales.map(({ total }) => total), 1)
  const axis = { stroke: ink, font, ticks: { show: false } }
  return {
    ...readSize(container),
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.6, sales.length - 0.4] },
      y: { range: [0, maxTotal * 1.1] }
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 56,
        values: (_, indexes) => indexes.map(index => formatShortDay(sales[index]?.day))
      },
      {
        ...axis,
        size: 64,
        grid: { stroke: '#0001' },
        values: (_, totals) => totals.map(total => `₹${compact.format(total)}`)
      }
    ],
    series: [
      {},
      {
        fill: '#9b2c1f',
        ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.7, 40], radius: 0.2 }) }),
        points: { show: false }
      }
    ]
  }
}

function formatShortDay(day: string | undefined) {
  return day === undefined ? '' : shortDay(day)
}

function readSize({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } {
  return { width: clientWidth, height: clientHeight }
}
