export function whenIdle(action: () => void): void {
  const waitForIdle = (): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(action)
    else setTimeout(action)
  }
  if (document.readyState === 'complete') waitForIdle()
  else addEventListener('load', waitForIdle, { once: true })
}
