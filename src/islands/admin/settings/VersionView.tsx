import { type FieldChoices, flatten, listSpecs, formatField } from '#lib/admin/field-values.ts'
import { labelOf } from '#lib/admin/fields.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import { api } from '#lib/api.ts'
import { saveDraft } from '#lib/stores/storage.ts'
import type { SectionName } from '#lib/contract/names.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import { rich, t } from '#lib/contract/texts.ts'
import { readWithChoices, restoreVersion } from '#lib/stores/admin/settings.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Fact, Lines, Time } from '../../ui/Facts.tsx'
import { pushQuery, toQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { Preview } from '../ui/MarkdownField.tsx'
import { Load, Loaded, ViewHeading, viewLink } from '../ui/views.tsx'

interface VersionHistoryProps {
  section: SectionName
  current: number
}

export function VersionHistory({ section, current }: VersionHistoryProps) {
  return (
    <Disclosure title={t('History')}>
      {() => (
        <Load
          id={String(current)}
          label={t('versions')}
          rows={1}
          read={() => api('GET /admin/settings/{section}/versions', { params: { section } })}
        >
          {versions =>
            versions.length === 0 ? (
              <p>{ADMIN_MESSAGES.historyNone}</p>
            ) : (
              <ol className="grid gap-2">
                {versions.map(({ version, savedAt, savedBy }) => (
                  <li
                    key={version}
                    className="flex flex-wrap items-center gap-x-4 border-l-4 border-brass/40 pl-4"
                  >
                    <span className="mr-auto min-w-0 break-words py-2">
                      <SavedBy {...{ savedAt, savedBy }} />
                      {version === current && ` ${t('(current)')}`}
                    </span>
                    <ButtonLink
                      look="link"
                      label={t('View')}
                      aria-label={t('View version {version}', { version })}
                      {...viewLink({ section, version: String(version) })}
                    />
                  </li>
                ))}
              </ol>
            )
          }
        </Load>
      )}
    </Disclosure>
  )
}

function SavedBy({ savedAt, savedBy }: Pick<StoredSection, 'savedAt' | 'savedBy'>) {
  const time = savedAt !== null && <Time key="time" iso={savedAt} />
  return rich('{time} by {name}', { time, name: savedBy })
}

export function VersionView({ section, version }: { section: SectionName; version: string }) {
  const [result, reload] = useLoad(`${section} ${version}`, () => readWithChoices(section, version))
  const { title } = SECTION_FORMS[section]
  const isUnknown = result.state === 'failed' && result.error.replyStatus === 404
  return (
    <>
      <ViewHeading
        back={{ to: t(title), ...viewLink({ section }) }}
        title={t('{title}, version {version}', { title: t(title), version })}
      />
      {isUnknown ? (
        <p role="alert">{t('This version no longer exists.')}</p>
      ) : (
        <Loaded state={result} label={t('version')} onRetry={reload}>
          {detail => <VersionDetail section={section} {...detail} />}
        </Loaded>
      )}
    </>
  )
}

interface VersionDetailProps {
  section: SectionName
  stored: StoredSection
  choices: FieldChoices
}

function VersionDetail({ section, stored, choices }: VersionDetailProps) {
  const values = flatten(stored.value)
  const restore = async () => {
    await restoreVersion(section, stored)
    // A draft is based on the version that was current until now.
    saveDraft(`settings ${section}`, undefined)
    notify({ title: t('Restored as a new version'), text: ADMIN_MESSAGES.websiteUpdates })
  }
  return (
    <div className="grid gap-6">
      <p>
        <SavedBy {...stored} />
      </p>
      <dl className="card grid gap-4 p-4 sm:p-6">
        {listSpecs(SECTION_FORMS[section]).map(spec => (
          <Fact key={spec.name} term={labelOf(spec)}>
            {spec.kind === 'markdown' ? (
              <Preview content={String(values[spec.name])} />
            ) : (
              <Lines lines={formatField(spec, values[spec.name], choices)} />
            )}
          </Fact>
        ))}
      </dl>
      <div>
        <ConfirmButton
          label={t('Restore this version')}
          title={t('Restore this version?')}
          confirmLabel={t('Restore version')}
          busyLabel={t('Restoring…')}
          onConfirm={restore}
          onDone={() => pushQuery(toQuery({ section }))}
        >
          {t(
            'It is saved as a new version. Today’s version stays in the history. Unsaved changes ' +
              'to this form are lost.'
          )}
        </ConfirmButton>
      </div>
    </div>
  )
}
