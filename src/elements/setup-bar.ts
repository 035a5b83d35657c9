import { readDraft, readText, saveDraft } from '#lib/stores/storage.ts'
import { progressText } from '#lib/admin/setup.ts'
import { configureApi } from '#lib/api.ts'
import { t } from '#lib/contract/texts.ts'
import { $setup, loadSetup } from '#lib/stores/admin/overview.ts'

// Without the session's store: the page's own script has it, and reacts if the session has ended.
configureApi({ token: () => readText('localStorage', 'token') })

class SetupBar extends HTMLElement {
  connectedCallback() {
    this.#show(String(readDraft<{ text: string }>('setup')?.text ?? ''))
    $setup.subscribe(setup => {
      if (!setup) return
      const progress = progressText(setup.rows)
      const text = progress && t('Your shop is not set up yet: {progress}', { progress })
      saveDraft('setup', { text })
      this.#show(text)
    })
    void loadSetup()
  }

  #show(text: string) {
    this.hidden = text === ''
    const link = this.querySelector('a')
    if (link) link.textContent = text
  }
}

customElements.define('setup-bar', SetupBar)
