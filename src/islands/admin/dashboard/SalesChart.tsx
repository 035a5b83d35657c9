import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { LOCALE } from '#lib/constants.ts'
import type { Dashboard } from '#lib/contract/admin/dashboard.ts'

const rupees = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const shortDay = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function SalesChart({ sales }: Pick<Dashboard, 'sales'>) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = box
    if (!current) return
    const days = sales.map((_, at) => at)
    const chart = new uPlot(optionsOf(current, sales), [days, sales.map(({ total }) => total)], current)
    const resize = new ResizeObserver(() => chart.setSize(sizeOf(current)))
    resize.observe(current)
    return () => {
      resize.disconnect()
      chart.destroy()
    }
  }, [sales])
  return <div ref={box} className="h-full overflow-hidden" />
}

function optionsOf(box: HTMLElement, sales: Dashboard['sales']): uPlot.Options {
  const ink = getComputedStyle(box).color
  const font = `13px ${getComputedStyle(box).fontFamily}`
  const maxTotal = Math.max(...sales.map(({ total }) => total), 1)
  const axis = { stroke: ink, font, ticks: { show: false } }
  return {
    ...sizeOf(box),
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [-0.6, sales.length - 0.4] }, y: { range: [0, maxTotal * 1.1] } },
    axes: [
      { ...axis, grid: { show: false }, space: 56, values: (_, at) => at.map(day => dayName(sales[day]?.day)) },
      { ...axis, size: 64, grid: { stroke: '#0001' }, values: (_, at) => at.map(sum => `₹${rupees.format(sum)}`) }
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

function dayName(day: string | undefined): string {
  return day === undefined ? '' : shortDay.format(new Date(day))
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } {
  return { width: clientWidth, height: clientHeight }
}
