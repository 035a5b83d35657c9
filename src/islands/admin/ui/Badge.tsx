export function Badge({ text }: { text: string }) {
  return <span className="rounded-full bg-turmeric/40 px-2 text-sm font-semibold">{text}</span>
}
