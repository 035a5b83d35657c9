const PATHS = {
  back: 'M20 12H5M11 6l-6 6 6 6',
  check: 'M5 13l5 5 9-11',
  close: 'M6 6l12 12M18 6L6 18',
  leaf: 'M5 19c0-9 5-14 15-14.5C20.5 14 15.5 19 8 19c-1 0-2-.2-3-.7M5 20.5c1.5-5 4.5-8.5 9-10.5',
  filter: 'M4 7h16M7 12h10M10 17h4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  up: 'M12 19V6M6 12l6-6 6 6',
  down: 'M12 5v13M6 12l6 6 6-6',
  minus: 'M6 12h12',
  plus: 'M6 12h12M12 6v12',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4 4'
}

/** The icon is hidden from screen readers, so its button needs a text or an aria-label. */
export function Icon({ name, className = 'h-5 w-5' }: { name: keyof typeof PATHS; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={`shrink-0 ${className}`} aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
