import { useStore } from '@nanostores/react'
import { LANGUAGE_CODES, LANGUAGES } from '#lib/constants.ts'
import { t } from '#lib/contract/texts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { chooseLanguage } from '#lib/stores/account.ts'
import { $user } from '#lib/stores/session.ts'
import { Button } from '../ui/Button.tsx'
import { Failure } from '../ui/Buttons.tsx'
import { useAttempt } from '../ui/hooks.ts'

export function LanguageChoice() {
  const chosen = useStore($user)?.language
  const { busy, failure, run } = useAttempt({ title: MESSAGES.profileNotSaved })
  return (
    <section aria-labelledby="language" className="card mt-6 grid gap-4 p-5 sm:p-8">
      <h2 id="language" className="text-xl">
        {t('Language')}
      </h2>
      <div className="flex flex-wrap gap-3">
        {LANGUAGE_CODES.map(code => (
          <Button
            key={code}
            look={code === chosen ? 'primary' : 'quiet'}
            label={LANGUAGES[code].name}
            lang={LANGUAGES[code].locale}
            aria-pressed={code === chosen}
            busy={busy}
            onClick={() => void run(() => chooseLanguage(code))}
          />
        ))}
      </div>
      {failure && <Failure failure={failure} />}
    </section>
  )
}
