import { $waiting, repeatCalls, WAITING_TEXTS } from '#lib/waiting.ts'

export function showWaiting(place: Element): () => void {
  let isRepeated = false
  const text = document.createElement('span')
  const button = document.createElement('button')
  const repeat = () => {
    isRepeated = true
    repeatCalls()
  }
  Object.assign(button, {
    type: 'button',
    className: 'link target',
    textContent: WAITING_TEXTS.repeat,
    onclick: repeat
  })
  const clear = () => {
    if (text.isConnected) place.replaceChildren()
  }
  const stop = $waiting.subscribe(waiting => {
    if (waiting === 'short' && !isRepeated) return clear()
    text.textContent = waiting === 'short' ? WAITING_TEXTS.repeated : WAITING_TEXTS.long
    button.hidden = waiting === 'long'
    // Otherwise, the button would lose the focus.
    if (!text.isConnected) place.replaceChildren(text, ' ', button)
  })
  return () => {
    stop()
    clear()
  }
}
