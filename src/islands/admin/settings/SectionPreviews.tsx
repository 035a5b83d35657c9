import { useState } from 'react'
import { findNeverOpen, findUnused, previewDelivery } from '#lib/admin/delivery-preview.ts'
import { listSpecs, parseTyped, toValue } from '#lib/admin/field-values.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import { toDigits } from '#lib/contract/formats.ts'
import type { PolicyName } from '#lib/contract/names.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { t } from '#lib/contract/texts.ts'
import { countLetters, MIN_POLICY_LETTERS, POLICIES } from '#lib/settings.ts'
import { type OurTexts, readDeliveryRules, readOurPolicies } from '#lib/stores/admin/settings.ts'
import { fromIndianDateTime, toIndianDateTime } from '#lib/time.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Preview } from '../ui/MarkdownField.tsx'
import { SitePictureView } from '../ui/PictureFields.tsx'
import type { RecordFormState } from '../ui/use-record-form.ts'
import { LabelledInput, Load, Note, viewLink } from '../ui/views.tsx'

interface DeliveryPreviewProps {
  section: 'delivery' | 'calendar'
  typed: Typed
}

export function DeliveryPreview({ section, typed }: DeliveryPreviewProps) {
  const [pincode, setPincode] = useState<string>()
  const [time, setTime] = useState(() => toIndianDateTime(new Date().toISOString()))
  const value = toValue(parseTyped(listSpecs(SECTION_FORMS[section]), typed))
  const now = Date.parse(fromIndianDateTime(time) ?? '')
  return (
    <section
      aria-labelledby="delivery-preview"
      className="card grid gap-4 p-4 sm:p-6"
      // The fields are inside the form, which Enter would save.
      onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
    >
      <h2 id="delivery-preview" className="font-serif text-lg font-semibold">
        {t('Try it')}
      </h2>
      <Load label={t('preview')} read={readDeliveryRules}>
        {({ products, servedState, pincode: ofShop, ...saved }) => {
          const to = pincode ?? ofShop
          const rules = { ...saved, [section]: value }
          const hints = [
            ...toStateLimits(servedState),
            ...(section === 'delivery' ? findUnused(rules.delivery.zones) : []),
            ...findNeverOpen(rules, products, Date.now())
          ]
          return (
            <>
              <div className="grid gap-4 sm:grid-cols-2">
                <LabelledInput
                  label={t('Pincode')}
                  inputMode="numeric"
                  value={to}
                  onType={text => setPincode(toDigits(text))}
                />
                <LabelledInput
                  label={t('Ordered at')}
                  type="datetime-local"
                  value={time}
                  onType={setTime}
                />
              </div>
              <div role="status" className="grid gap-1 break-words font-semibold">
                {(Number.isNaN(now) ? [] : previewDelivery(rules, to, now)).map(line => (
                  <p key={line}>{line}</p>
                ))}
              </div>
              {hints.map(hint => (
                <p key={hint} className="break-words text-sm text-ink/70">
                  {hint}
                </p>
              ))}
            </>
          )
        }}
      </Load>
    </section>
  )
}

function toStateLimits(servedState: string | null) {
  if (servedState === '') return []
  return servedState === null
    ? [t('Nothing is delivered at the moment: please choose your state in Shop details.')]
    : [
        t('Only addresses in {state} are served, because of your Tax settings.', {
          state: servedState
        })
      ]
}

/** How the words lie on the pictures. The other lists look like the form. */
export function BannerPreview({ typed }: { typed: Typed }) {
  const { banners } = toValue(typed) as Settings['home']
  return (
    <ul aria-label={t('Banners')} className="grid gap-4 lg:grid-cols-2">
      {banners.map(({ picture, heading, text, button }, index) => (
        <li key={index} className="overflow-hidden rounded-card bg-ink text-cream">
          {picture !== '' && (
            <SitePictureView name={picture} className="aspect-video w-full rounded-none" />
          )}
          <div className="p-4">
            <p className="break-words font-serif text-xl font-semibold">{heading}</p>
            <p className="break-words">{text}</p>
            <p className="mt-3 inline-block rounded-full bg-chilli px-4 py-1 font-semibold">
              {button || t('Shop Now')}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

const isShort = (text: string) => countLetters(text) < MIN_POLICY_LETTERS

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
                  <Preview content={own || text} />
                </>
              )}
            </Disclosure>
          ))
        }
      </Load>
    </section>
  )
}

function toTitle(title: string, own: string) {
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
      <Preview content={ourText} />
    </section>
  )
}
