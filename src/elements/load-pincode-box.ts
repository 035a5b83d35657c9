import { whenIdle } from '#lib/browser.ts'
import { readStored } from '#lib/stores/storage.ts'

// Loaded when the field gets the focus, or for a remembered pincode, because most shoppers don't
// ask.
const loadPincodeBox = () => void import('./pincode-box.ts').catch(() => undefined)
if (readStored('pincode')) whenIdle(loadPincodeBox)
else document.querySelector('#pincode')?.addEventListener('focus', loadPincodeBox)
