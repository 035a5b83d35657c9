import bloom from '#lib/art/kolam-bloom.svg?url'

/** Same drawing as components/Kolam.astro. */
export function Kolam({ className }: { className: string }) {
  return <img src={bloom} alt="" width="150" height="150" loading="lazy" decoding="async" className={className} />
}
