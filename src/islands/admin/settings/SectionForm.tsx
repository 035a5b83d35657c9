import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { OWNER_FIELDS } from '#lib/admin/access.ts'
import {
  type FieldChoices,
  flatten,
  listSpecs,
  parseTyped,
  toItems,
  toTyped,
  toValue,
  formatConflict
} from '#lib/admin/field-values.ts'
import { labelOf, type Typed } from '#lib/admin/fields.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import { setupPath } from '#lib/admin/setup.ts'
import { isProposal, listAskedGroups, openDelivery } from '#lib/admin/zones.ts'
import type { PolicyName, SectionName } from '#lib/contract/names.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import { rich, t } from '#lib/contract/texts.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import {
  type OurTexts,
  readSettings,
  saveSettings,
  describeAccount
} from '#lib/stores/admin/settings.ts'
import { $user } from '#lib/stores/session.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { pushQuery } from '../../ui/history.ts'
import { DueOrders } from '../ui/DueOrders.tsx'
import { FormFields, MissingTexts } from '../ui/FormFields.tsx'
import { RecordForm } from '../ui/RecordForm.tsx'
import { useRecordForm } from '../ui/use-record-form.ts'
import { viewLink } from '../ui/views.tsx'
import { KeyMode, MailProvider, PaymentSteps, Webhook } from './Connections.tsx'
import { BannerPreview, DeliveryPreview, PolicyText, PolicyTexts } from './SectionPreviews.tsx'
import { ShopAreas, TrySearch } from './SectionTools.tsx'

interface SectionFormProps {
  section: SectionName
  stored: StoredSection
  choices: FieldChoices
  /** The environment has the account, so that only the other fields are shown. */
  isOnServer: boolean
  ours: OurTexts | undefined
  onReset: (theirs?: StoredSection) => void
}

export function SectionForm(props: SectionFormProps) {
  const { section, stored, choices, isOnServer, ours, onReset } = props
  const isOwner = useStore($user)?.staff === 'owner'
  const readOnly = (isOwner ? undefined : OWNER_FIELDS[section]) ?? []
  const { title, groups } = SECTION_FORMS[section]
  const specs = listSpecs(SECTION_FORMS[section])
  const isConnection = section === 'mail' || section === 'payments'
  let testResult = ''
  const [isEditing, setEditing] = useState(() => 'text' in stored.value && stored.value.text !== '')
  const usesOurs = ours?.isUsed === false && !isEditing
  const form = useRecordForm<StoredSection, Typed>({
    form: {
      specs,
      labels: Object.fromEntries(specs.map(spec => [spec.name, labelOf(spec)])),
      format: (name, value, other) => {
        const field = specs.find(spec => spec.name === name)
        return field ? formatConflict(field, { value, other }, choices) : ''
      },
      toFields: ({ value }) => flatten(value),
      toTyped: ({ value }) => toTyped(specs, value),
      parse: typed => parseTyped(specs, typed)
    },
    draftName: `settings ${section}`,
    item: stored,
    prefix: 'value.',
    choices,
    read: async () => openStored(await readSettings(section), choices),
    save: async ({ value, version }, edits) => {
      const changed = toValue({ ...flatten(value), ...edits })
      if (usesOurs && Object.keys(edits).length === 0)
        return saveSettings('policies', EMPTY_SETTINGS.policies, 0)
      const saved = await saveSettings(section, changed, version)
      if (isConnection) testResult = await describeAccount(saved)
      return saved
    },
    // Defaults that were never saved can be saved without a change.
    isUnsaved: stored.version === 0,
    name: () => t(title),
    savedText: () =>
      isConnection ? t('Saved. {result}', { result: testResult }) : ADMIN_MESSAGES.saved,
    errorTitle: isConnection ? t('This doesn’t work yet.') : ADMIN_MESSAGES.saveFailed,
    onReset,
    onClose: () => (isFromSetup() ? location.assign(setupPath()) : pushQuery(''))
  })
  const { typed } = form
  const isTested = isConnection && !isOnServer && (typed['keyId'] || typed['server'])
  const usualLabel = t(section === 'policies' || usesOurs ? 'Use these texts' : 'Save settings')
  const saveLabel = isTested ? t('Save and test') : usualLabel
  const asked = listAskedGroups(isOnServer ? groups.slice(1) : groups, typed)
  return (
    <RecordForm label={t(title)} form={form} saveLabel={saveLabel}>
      <MissingTexts specs={specs} items={[toValue(typed)]} />
      {isProposal(stored) && (
        <p className="rounded-card bg-cream-deep p-4 font-semibold">
          {t('We’ve filled in an example. Change what you like, then press “Save settings”.')}
        </p>
      )}
      {section === 'delivery' && choices.places?.length === 1 && (
        <p className="rounded-card bg-cream-deep p-4">
          {rich('To choose your city or state, first enter your pincode in {form}.', {
            form: (
              <a key="form" {...viewLink({ section: 'shop' })} className="link">
                {t('Shop details')}
              </a>
            )
          })}
        </p>
      )}
      {ours && (
        <PolicyText
          name={section as PolicyName}
          {...{ form, ours, isEditing, onEdit: setEditing }}
        />
      )}
      {asked.map(({ legend, hint, fields }) => (
        <fieldset
          key={legend}
          className="card grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 p-4 sm:gap-5 sm:p-6"
        >
          <legend className="float-left mb-1 w-full font-serif text-lg font-semibold">
            {t(legend)}
          </legend>
          {hint !== undefined && <p className="text-ink/70 max-sm:order-last">{t(hint)}</p>}
          {fields[0]?.name === 'user' && <MailProvider form={form} />}
          {section === 'payments' && <PaymentSteps />}
          <FormFields
            specs={
              ours && !isEditing ? fields.filter(({ name }) => !/(^|\.)text$/.test(name)) : fields
            }
            form={form}
            legend={legend}
            readOnly={readOnly}
            own={{ webhookSecret: <Webhook form={form} /> }}
            below={{
              keyId: <KeyMode typed={typed} />,
              'address.area': <ShopAreas form={form} />,
              'closed.until': (
                <DueOrders from={typed['closed.from']} until={typed['closed.until']} />
              ),
              closedWeekdays: toItems(typed['closedDates']).map(day => (
                <DueOrders key={String(day)} from={day} until={day} />
              ))
            }}
          />
        </fieldset>
      ))}
      {(section === 'delivery' || section === 'calendar') && (
        <DeliveryPreview section={section} typed={typed} />
      )}
      {section === 'policies' && <PolicyTexts typed={typed} />}
      {section === 'search' && <TrySearch synonyms={String(typed['synonyms'])} />}
      {section === 'home' && (
        <Disclosure title={t('Preview')}>{() => <BannerPreview typed={typed} />}</Disclosure>
      )}
    </RecordForm>
  )
}

const EMPTY_BANNER = { picture: '', alt: '', heading: '', text: '', button: '', link: '' }

export function openStored(stored: StoredSection, { places = [] }: FieldChoices): StoredSection {
  const { value } = stored
  // The server leaves out a banner that stays empty.
  if ('banners' in value && value.banners.length === 0)
    return { ...stored, value: { ...value, banners: [EMPTY_BANNER] } }
  return 'zones' in stored.value ? openDelivery({ ...stored, value: stored.value }, places) : stored
}

export function isFromSetup() {
  return new URLSearchParams(location.search).get('from') === 'setup'
}
