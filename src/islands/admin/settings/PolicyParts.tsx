import { type OurTexts, readOurPolicies } from '#lib/stores/admin/settings.ts'
import type { Typed } from '#lib/admin/fields.ts'
import type { PolicyName } from '#lib/contract/names.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { t } from '#lib/contract/texts.ts'
import { countLetters, MIN_POLICY_LETTERS, POLICIES } from '#lib/settings.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Preview } from '../ui/MarkdownField.tsx'
import type { RecordFormState } from '../ui/use-record-form.ts'
import { Load, Note, viewLink } from '../ui/views.tsx'

const isShort = (text: string): boolean => countLetters(text) < MIN_POLICY_LETTERS

/** The four texts that the answers make. */
export function PolicyTexts({ typed }: { typed: Typed }) {
  const answers = typed as Settings['policies']
  return (
    <section aria-labelledby="our-texts" className="card p-4 sm:p-6">
      <h2 id="our-texts" className="mb-4 font-serif text-lg font-semibold">
        {t('Read the four pages')}
      </h2>
      <Load id={JSON.stringify(typed)} label={t('texts')} read={() => readOurPolicies(answers)}>
        {texts =>
          texts.map(({ name, text, own }) => (
            <Disclosure key={name} title={toTitle(t(POLICIES[name].title), own)}>
              {() => (
                <>
                  {own !== '' && (
                    <p className="mb-2">
                      {t('You wrote this text yourself, so it stays as it is.')}{' '}
                      <ButtonLink
                        look="link"
                        label={t('Edit text')}
                        {...viewLink({ section: name })}
                      />
                    </p>
                  )}
                  <PolicyPreview text={own || text} />
                </>
              )}
            </Disclosure>
          ))
        }
      </Load>
    </section>
  )
}

function toTitle(title: string, own: string): string {
  if (own === '') return title
  return t(isShort(own) ? '{title} (your own text, too short)' : '{title} (your own text)', {
    title
  })
}

interface PolicyTextProps {
  name: PolicyName
  form: RecordFormState
  ours: OurTexts
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
}

/** Stands above the fields of a policy. Shows our text, or that the owner's is too short. */
export function PolicyText({ name, form, ours, isEditing, onEdit }: PolicyTextProps) {
  const ourText = ours.texts.find(policy => policy.name === name)?.text ?? ''
  const text = String(form.typed['text'])
  const edit = (next: string) => {
    form.change('text', next)
    onEdit(next !== '')
  }
  if (isEditing) {
    return (
      <div>
        {isShort(text) && (
          <Note>
            {t(
              '{letters} letters. Write at least {min}: a shorter policy does not count as done.',
              { letters: countLetters(text), min: MIN_POLICY_LETTERS }
            )}
          </Note>
        )}
        <Button look="link" label={t('Use our text instead')} onClick={() => edit('')} />
      </div>
    )
  }
  return (
    <section aria-label={t('Our text')} className="card grid gap-4 p-4 sm:p-6">
      <p>{t('Our text for you. It follows your answers and your settings.')}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink
          label={t(ours.isUsed ? 'Change the answers' : 'Start from our text')}
          {...viewLink(
            `?section=policies${location.search.includes('from=') ? '&from=setup' : ''}`
          )}
        />
        <Button label={t('Edit text')} onClick={() => edit(ourText)} />
      </div>
      <PolicyPreview text={ourText} />
    </section>
  )
}

function PolicyPreview({ text }: { text: string }) {
  return <Preview content={text} call="POST /admin/settings/preview" isSideBySide={false} />
}
