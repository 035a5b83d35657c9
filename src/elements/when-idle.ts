export function whenIdle(action: () => void): void {
  const idle = (): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(action)
    else setTimeout(action)
  }
  if (document.readyState === 'complete') idle()
  else addEventListener('load', idle, { once: true })
}
