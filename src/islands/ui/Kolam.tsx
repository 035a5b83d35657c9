/** The bloom of the site's kolam drawings, which pages with islands carry once. */
export function Kolam({ className }: { className: string }) {
  return (
    <svg
      viewBox="-75 -75 150 150"
      className={`text-brass ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <use href="#bloom" />
    </svg>
  )
}
