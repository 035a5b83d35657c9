import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { toProblems } from '#lib/account/forms.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { api } from '#lib/api.ts'
import { focusInMiddle } from '#lib/browser.ts'
import { SETTING_LIMITS } from '#lib/constants.ts'
import { t } from '#lib/contract/texts.ts'
import { type ClosedDays, NEVER_CLOSED } from '#lib/delivery/calendar.ts'
import { ShopError } from '#lib/errors.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatShortDay, toDayInIndia } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { ActionButton, Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { Field, TextArea } from '../../ui/Field.tsx'
import { useLoad } from '../../ui/hooks.ts'
import { useForm } from '../../ui/use-form.ts'
import { DueOrders } from '../ui/DueOrders.tsx'

export function Holiday() {
  const [result, reload] = useLoad('order settings', () => api('GET /admin/settings/orders'))
  const [editing, setEditing] = useState(false)
  const card = useRef<HTMLElement>(null)
  if (result.state !== 'ready') return null

  const settings = result.value
  const { closed } = settings.value
  const today = toDayInIndia(Date.now())
  const isPlanned = closed.until >= today
  // The pressed button disappears, so the focus must move.
  const show = (isEditing: boolean) => {
    flushSync(() => setEditing(isEditing))
    focusInMiddle(card.current?.querySelector<HTMLElement>('input, button'))
  }
  const save = async (days: ClosedDays) => {
    try {
      const value = { ...settings.value, closed: days }
      await api('PUT /admin/settings/orders', { body: { value, version: settings.version } })
      notify({ title: ADMIN_MESSAGES.saved })
    } catch (error) {
      // The next attempt is then based on the newest settings.
      if (error instanceof ShopError && error.code === 'EDIT_CONFLICT') await reload()
      throw error
    }
    await reload()
    show(false)
  }
  return (
    <section
      ref={card}
      aria-labelledby="holiday"
      className="card flex flex-wrap items-center justify-between gap-x-2 gap-y-3 px-3 py-2 sm:px-4"
    >
      <h2 id="holiday" className="text-lg">
        {t('Holidays')}
      </h2>
      {editing ? (
        <HolidayForm
          initial={isPlanned ? closed : { ...closed, from: today, until: today }}
          today={today}
          save={save}
          onCancel={() => show(false)}
        />
      ) : isPlanned ? (
        <div className="grid w-full gap-4 pb-2">
          <ActionButton
            label={t(closed.from > today ? 'Cancel holiday' : 'Take orders again')}
            busyLabel={t('Saving…')}
            errorTitle={ADMIN_MESSAGES.saveFailed}
            action={() => save(NEVER_CLOSED)}
          >
            <b>
              {closed.from === closed.until
                ? t('Closed on {day}.', { day: formatShortDay(closed.until) })
                : t('Closed from {from} to {until}.', {
                    from: formatShortDay(closed.from),
                    until: formatShortDay(closed.until)
                  })}
            </b>{' '}
            {closed.message}
          </ActionButton>
          <Button
            label={t('Change days or message')}
            className="justify-self-start"
            onClick={() => show(true)}
          />
        </div>
      ) : (
        <Button label={t('Close for a holiday')} onClick={() => show(true)} />
      )}
    </section>
  )
}

interface HolidayFormProps {
  initial: ClosedDays
  today: string
  save: (days: ClosedDays) => Promise<void>
  onCancel: () => void
}

function HolidayForm({ initial, today, save, onCancel }: HolidayFormProps) {
  const [days, setDays] = useState<Pick<ClosedDays, 'from' | 'until'>>(initial)
  const { form, field, values, failure, busy } = useForm({
    names: ['from', 'until', 'message'],
    initial,
    check: ({ from, until }) =>
      toProblems({
        from: from === '' && ADMIN_MESSAGES.dateInvalid,
        until: findUntilProblem(from, until)
      }),
    send: ({ from, until, message }) => save({ from, until, message: message.trim() }),
    errorText: { title: ADMIN_MESSAGES.saveFailed }
  })

  return (
    <form
      {...form}
      aria-labelledby="holiday"
      className="grid w-full gap-4 pb-2"
      onInput={() => {
        form.onInput()
        setDays(values())
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field state={field('from')} label={t('First day closed')} type="date" required />
        <Field
          state={field('until')}
          label={t('Last day closed')}
          type="date"
          min={today}
          required
        />
      </div>
      <DueOrders {...days} />
      <TextArea
        state={field('message')}
        label={t('{label} (optional)', { label: t('Message') })}
        placeholder={t('We are at a family wedding.')}
        hint={t('Visitors see it on every page. They can look around, but not order.')}
        maxLength={SETTING_LIMITS.text}
        rows={2}
      />
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton label={t('Save')} busyLabel={t('Saving…')} busy={busy} secondary />
        <Button label={t('Cancel')} look="link" className="px-2" onClick={onCancel} />
      </div>
    </form>
  )
}

function findUntilProblem(from: string, until: string): string | false {
  if (until === '') return ADMIN_MESSAGES.dateInvalid
  if (until < from) return ADMIN_MESSAGES.closedEndsBeforeStart
  return until < toDayInIndia(Date.now()) && t('This day is over')
}
