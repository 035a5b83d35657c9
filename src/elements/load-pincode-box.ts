import { readStored, whenIdle } from '#lib/browser.ts'

// Loaded when the field gets the focus, or for a remembered pincode, because most shoppers don't
// ask.
const loadPincodeBox = (): void => void import('./pincode-box.ts').catch(() => undefined)
if (readStored('localStorage', 'pincode')) whenIdle(loadPincodeBox)
else document.querySelector('#pincode')?.addEventListener('focus', loadPincodeBox)
