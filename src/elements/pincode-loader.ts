import { readStored, whenIdle } from '#lib/browser.ts'

/** Loads `<pincode-box>` when its field gets the focus, or for a remembered pincode. The page's scripts stay small. */
export function loadPincodeBox(load: () => Promise<unknown>): void {
  const start = (): void => void load().catch(() => undefined)
  if (readStored('localStorage', 'pincode')) whenIdle(start)
  else document.querySelector('#pincode')?.addEventListener('focus', start, { once: true })
}
