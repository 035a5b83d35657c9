import type { ReactNode } from 'react'
import { Kolam } from './Kolam.tsx'

export function EmptyState({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <Kolam className="h-32 w-32" />
      <p className="text-balance font-serif text-xl font-semibold">{text}</p>
      {children}
    </div>
  )
}
