import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import { flatten, formatField, listSpecs, type FieldChoices } from '#lib/admin/field-values.ts'
import { api } from '#lib/api.ts'
import { saveDraft } from '#lib/browser.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { readWithChoices, restoreVersion } from '#lib/stores/admin/settings.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Fact, Lines, Time } from '../../ui/Facts.tsx'
import { pushQuery, toQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { Preview } from '../posts/MarkdownField.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { FocusedHeading, viewLink } from '../ui/views.tsx'

/** `current` is the version that the form shows. */
export function VersionHistory({ section, current }: { section: SectionName; current: number }) {
  return (
    <Disclosure title="History">
      {() => <Versions section={section} current={current} />}
    </Disclosure>
  )
}

function Versions({ section, current }: { section: SectionName; current: number }) {
  const [versions, reload] = useLoad(`${section} ${current}`, () =>
    api('GET /admin/settings/{section}/versions', { params: { section } })
  )
  return (
    <Loaded state={versions} label="versions" rows={1} onRetry={reload}>
      {list =>
        list.length === 0 ? (
          <p>{ADMIN_MESSAGES.historyNone}</p>
        ) : (
          <ol className="grid gap-2">
            {list.map(({ version, savedAt, savedBy }) => (
              <li
                key={version}
                className="flex flex-wrap items-center gap-x-4 border-l-4 border-brass/40 pl-4"
              >
                <span className="mr-auto min-w-0 break-words py-2">
                  {savedAt !== null && <Time iso={savedAt} />} by {savedBy}
                  {version === current && ' (current)'}
                </span>
                <ButtonLink
                  look="link"
                  label="View"
                  aria-label={`View version ${version}`}
                  {...viewLink(toQuery({ section, version: String(version) }))}
                />
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  )
}

export function VersionView({ section, version }: { section: SectionName; version: string }) {
  const [result, reload] = useLoad(`${section} ${version}`, () => readWithChoices(section, version))
  const { title } = SECTION_FORMS[section]
  const isUnknown = result.state === 'failed' && result.error.replyStatus === 404
  return (
    <>
      <p>
        <ButtonLink look="link" label={`← ${title}`} {...viewLink(toQuery({ section }))} />
      </p>
      <div className="mb-4">
        <FocusedHeading>
          {title}, version {version}
        </FocusedHeading>
      </div>
      {isUnknown ? (
        <p role="alert">This version no longer exists.</p>
      ) : (
        <Loaded state={result} label="version" onRetry={reload}>
          {({ stored, choices }) => (
            <VersionDetail section={section} stored={stored} choices={choices} />
          )}
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
    notify({ title: 'Restored as a new version', text: ADMIN_MESSAGES.websiteUpdates })
    pushQuery(toQuery({ section }))
  }
  return (
    <div className="grid gap-6">
      <p>
        {stored.savedAt !== null && <Time iso={stored.savedAt} />} by {stored.savedBy}
      </p>
      <dl className="card grid gap-4 p-4 sm:p-6">
        {listSpecs(SECTION_FORMS[section]).map(spec => (
          <Fact key={spec.name} term={spec.label}>
            {spec.kind === 'markdown' ? (
              <Preview
                content={String(values[spec.name])}
                call="POST /admin/settings/preview"
                isSideBySide={false}
              />
            ) : (
              <Lines lines={formatField(spec, values[spec.name], choices)} />
            )}
          </Fact>
        ))}
      </dl>
      <div>
        <ConfirmButton
          label="Restore this version"
          title="Restore this version?"
          confirmLabel="Restore version"
          busyLabel="Restoring…"
          errorTitle={ADMIN_MESSAGES.saveFailed}
          onConfirm={restore}
        >
          It is saved as a new version. Today’s version stays in the history. Unsaved changes to
          this form are lost.
        </ConfirmButton>
      </div>
    </div>
  )
}
