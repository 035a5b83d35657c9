import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { OWNER_FIELDS } from '#lib/admin/access.ts'
import {
  type FieldChoices,
  flatten,
  formatConflict,
  listSpecs,
  parseTyped,
  toItems,
  toTyped,
  toValue
} from '#lib/admin/field-values.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { isSectionName, SECTION_FORMS } from '#lib/admin/settings-form.ts'
import { SETUP_PATH } from '#lib/admin/setup.ts'
import { isProposal, listAskedGroups, openDelivery } from '#lib/admin/zones.ts'
import type { SectionName } from '#lib/contract/names.ts'
import type { SectionVersion, StoredSection } from '#lib/contract/settings.ts'
import {
  $sections,
  loadSections,
  loadSitePictures,
  readSettings,
  readWithChoices,
  saveSettings,
  testSaved
} from '#lib/stores/admin/settings.ts'
import { $user } from '#lib/stores/session.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Time } from '../../ui/Facts.tsx'
import { pushQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame, Forbidden } from '../ui/AdminFrame.tsx'
import { DueOrders } from '../ui/DueOrders.tsx'
import { FormFields } from '../ui/FormFields.tsx'
import { RecordForm } from '../ui/RecordForm.tsx'
import { useReset } from '../ui/RecordPage.tsx'
import { useRecordForm } from '../ui/use-record-form.ts'
import { Load, LoadedStore, useMay, useReturnFocus, ViewHeading, viewLink } from '../ui/views.tsx'
import { DeliveryPreview, HomePreview } from './SectionPreviews.tsx'
import { ShopAreas } from './ShopAreas.tsx'
import {
  ConnectionTest,
  createSecret,
  KeyMode,
  MailProvider,
  PaymentSteps,
  Webhook
} from './Connections.tsx'
import { MissedSearches, TaxReport, TrySearch } from './SectionTools.tsx'
import { VersionHistory, VersionView } from './VersionView.tsx'

export function SettingsPage() {
  return (
    <AdminFrame section="settings">
      <SettingsView />
    </AdminFrame>
  )
}

function SettingsView() {
  const params = new URLSearchParams(useQuery())
  const section = params.get('section')
  const version = params.get('version')
  const may = useMay()
  if (!isSectionName(section)) {
    return (
      <LoadedStore store={$sections} load={loadSections} label="settings">
        {versions => <SectionList versions={versions} />}
      </LoadedStore>
    )
  }
  if (!may(`GET /admin/settings/${section}`)) return <Forbidden />
  if (version !== null)
    return <VersionView key={`${section} ${version}`} section={section} version={version} />
  return <SectionEditor key={section} section={section} />
}

function SectionList({ versions }: { versions: Record<SectionName, SectionVersion> }) {
  useReturnFocus()
  const may = useMay()
  const names = Object.keys(SECTION_FORMS)
    .filter(isSectionName)
    .filter(name => may(`GET /admin/settings/${name}`))
  return (
    <ul aria-label="Settings" className="grid gap-3 md:grid-cols-2">
      {names.map(name => {
        const { savedAt, savedBy } = versions[name]
        return (
          <li key={name}>
            <a
              {...viewLink({ section: name })}
              className="card flex h-full flex-col gap-1 p-4 hover:text-chilli hover:shadow-lg"
            >
              <span className="font-serif text-lg font-semibold">{SECTION_FORMS[name].title}</span>
              <span>{SECTION_FORMS[name].purpose}</span>
              <span className="mt-auto break-words pt-1 text-sm text-ink/70">
                {savedAt === null ? (
                  'Not saved yet'
                ) : (
                  <>
                    Saved <Time iso={savedAt} /> by {savedBy}
                  </>
                )}
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

export function SectionEditor({ section }: { section: SectionName }) {
  const { count, theirs, onReset } = useReset<StoredSection>()
  useEffect(() => void loadSitePictures(), [])
  const { title, purpose, page } = SECTION_FORMS[section]
  const back = isFromSetup()
    ? { to: 'Set-up checklist', href: SETUP_PATH }
    : { to: 'All settings', ...viewLink('') }
  return (
    <>
      <ViewHeading back={back} title={title} path={page} />
      <p className="mb-4 max-sm:hidden">{purpose}</p>
      <Load label={title} read={() => readWithChoices(section)}>
        {({ stored, choices, isOnServer }) => (
          <div className="grid gap-8 pb-4">
            {isOnServer && (
              <p className="card p-4 font-semibold">
                Set on the server. Ask the person who runs it to change the account.
              </p>
            )}
            {!(isOnServer && section === 'payments') && (
              <SectionForm
                key={count}
                section={section}
                stored={openStored(theirs ?? stored, choices)}
                choices={choices}
                isOnServer={isOnServer}
                onReset={onReset}
              />
            )}
            {(section === 'mail' || section === 'payments') && <ConnectionTest section={section} />}
            {section === 'tax' && <TaxReport />}
            {section === 'search' && <MissedSearches />}
            <VersionHistory section={section} current={(theirs ?? stored).version} />
          </div>
        )}
      </Load>
    </>
  )
}

interface SectionFormProps {
  section: SectionName
  stored: StoredSection
  choices: FieldChoices
  /** The environment has the account, so that only the other fields are shown. */
  isOnServer: boolean
  onReset: (theirs?: StoredSection) => void
}

function SectionForm({ section, stored, choices, isOnServer, onReset }: SectionFormProps) {
  const isOwner = useStore($user)?.staff === 'owner'
  const readOnly = (isOwner ? undefined : OWNER_FIELDS[section]) ?? []
  const { title, groups } = SECTION_FORMS[section]
  const specs = listSpecs(SECTION_FORMS[section])
  const isConnection = section === 'mail' || section === 'payments'
  let testResult = ''
  const form = useRecordForm<StoredSection, Typed>({
    form: {
      specs,
      labels: Object.fromEntries(specs.map(({ name, label }) => [name, label])),
      format: (name, value, other) => {
        const field = specs.find(spec => spec.name === name)
        return field ? formatConflict(field, { value, other }, choices) : ''
      },
      toFields: ({ value }) => flatten(value),
      toTyped: ({ value }) => ({
        ...toTyped(specs, value),
        ...('webhookSecret' in value && { webhookSecret: value.webhookSecret || createSecret() })
      }),
      parse: typed => parseTyped(specs, typed)
    },
    draftName: `settings ${section}`,
    item: stored,
    prefix: 'value.',
    choices,
    read: async () => openStored(await readSettings(section), choices),
    save: async ({ value, version }, edits) => {
      const changed = toValue({ ...flatten(value), ...edits })
      const saved = await saveSettings(section, changed, version)
      if (isConnection) testResult = await testSaved(saved, isOnServer)
    },
    // Defaults that were never saved can be saved without a change.
    isUnsaved: stored.version === 0,
    savedMessage: () => ({
      title: `${title} saved`,
      text: isConnection ? testResult : ADMIN_MESSAGES.websiteUpdates
    }),
    errorTitle: isConnection ? 'This doesn’t work yet.' : ADMIN_MESSAGES.saveFailed,
    onReset,
    onClose: () => (isFromSetup() ? location.assign(SETUP_PATH) : pushQuery(''))
  })
  const { typed } = form
  const asked = listAskedGroups(isOnServer ? groups.slice(1) : groups, typed)
  return (
    <RecordForm
      label={title}
      form={form}
      saveLabel={
        isConnection && !isOnServer && (typed['keyId'] || typed['server'])
          ? 'Save and test'
          : 'Save settings'
      }
    >
      {isProposal(stored) && (
        <p className="rounded-card bg-cream-deep p-4 font-semibold">
          We’ve filled in an example. Change what you like, then press “Save settings”.
        </p>
      )}
      {section === 'delivery' && choices.places?.length === 1 && (
        <p className="rounded-card bg-cream-deep p-4">
          To choose your city or state, first enter your pincode in{' '}
          <a {...viewLink({ section: 'shop' })} className="link">
            Shop details
          </a>
          .
        </p>
      )}
      {asked.map(({ legend, hint, fields }) => (
        <fieldset
          key={legend}
          className="card grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 p-4 sm:gap-5 sm:p-6"
        >
          <legend className="float-left mb-1 w-full font-serif text-lg font-semibold">
            {legend}
          </legend>
          {hint !== undefined && <p className="text-ink/70 max-sm:order-last">{hint}</p>}
          {fields[0]?.name === 'user' && <MailProvider form={form} />}
          {section === 'payments' && <PaymentSteps />}
          <FormFields
            specs={fields}
            form={form}
            legend={legend}
            readOnly={readOnly}
            own={{ webhookSecret: <Webhook form={form} /> }}
            below={{
              keyId: <KeyMode typed={typed} />,
              'address.area': <ShopAreas form={form} />,
              'closed.until': (
                <DueOrders
                  from={String(typed['closed.from'])}
                  until={String(typed['closed.until'])}
                />
              ),
              closedWeekdays: toItems(typed['closedDates']).map(day => (
                <DueOrders key={String(day)} from={String(day)} until={String(day)} />
              ))
            }}
          />
        </fieldset>
      ))}
      {(section === 'delivery' || section === 'calendar') && (
        <DeliveryPreview section={section} typed={typed} />
      )}
      {section === 'search' && <TrySearch synonyms={String(typed['synonyms'])} />}
      {section === 'home' && (
        <Disclosure title="Preview">
          {() => <HomePreview typed={typed} choices={choices} />}
        </Disclosure>
      )}
    </RecordForm>
  )
}

function openStored(stored: StoredSection, { places = [] }: FieldChoices): StoredSection {
  return 'zones' in stored.value ? openDelivery({ ...stored, value: stored.value }, places) : stored
}

function isFromSetup() {
  return new URLSearchParams(location.search).get('from') === 'setup'
}
