import {
  COUPON_FORM,
  COUPON_STATES,
  createEmptyCoupon,
  formatCouponDiscount,
  formatUses,
  listCouponSpecs,
  toCouponFields
} from '#lib/admin/discount-forms.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminCoupon } from '#lib/contract/promotions.ts'
import { t, text } from '#lib/contract/texts.ts'
import { formatRupees } from '#lib/money.ts'
import { coupons, endCoupon } from '#lib/stores/admin/records.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDayAndTime } from '#lib/time.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { Fact, Time } from '../../ui/Facts.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { pushQuery } from '../../ui/history.ts'
import { Badge, type Column, SearchableTable } from '../ui/DataTable.tsx'
import { FormFields } from '../ui/FormFields.tsx'
import { RecordForm } from '../ui/RecordForm.tsx'
import { RecordEditor, RecordPage, RowActions } from '../ui/RecordPage.tsx'
import { type OpenRecord, toChoices, useRecordForm } from '../ui/use-record-form.ts'
import { viewLink } from '../ui/views.tsx'

export function CouponsPage({ categories }: { categories: readonly Category[] }) {
  return (
    <RecordPage
      section="coupons"
      noun="coupon"
      addLabel={t('New coupon')}
      store={coupons}
      editor={id => <CouponEditor id={id} categories={categories} />}
    >
      {list => <CouponList coupons={list} />}
    </RecordPage>
  )
}

const isOver = ({ state }: AdminCoupon) => state === 'ended' || state === 'used_up'

const FILTERS = [
  { label: text('Current coupons'), matches: (coupon: AdminCoupon) => !isOver(coupon) },
  { label: text('Ended or used up'), matches: isOver },
  { label: text('All coupons'), matches: () => true }
] as const

const COLUMNS: readonly Column<AdminCoupon>[] = [
  {
    label: text('Code'),
    cell: ({ id, code, state, oncePerPerson }) => (
      <>
        <a className="link font-semibold" {...viewLink({ coupon: id })}>
          {code}
        </a>
        <span className="block text-sm">
          {state === 'running' ? COUPON_STATES[state] : <Badge text={COUPON_STATES[state]} />}
          {oncePerPerson && ` · ${t('once per person')}`}
        </span>
      </>
    )
  },
  { label: text('Discount'), numeric: true, cell: formatCouponDiscount },
  {
    label: text('Minimum'),
    numeric: true,
    cell: ({ minimum }) => (minimum === 0 ? '–' : formatRupees(minimum))
  },
  { label: text('Uses'), numeric: true, cell: formatUses },
  { label: text('Starts'), isOnlyInTable: true, cell: ({ startTime }) => <Time iso={startTime} /> },
  { label: text('Ends'), cell: ({ endTime }) => (endTime === null ? '–' : <Time iso={endTime} />) }
]

export function CouponList({ coupons }: { coupons: readonly AdminCoupon[] }) {
  if (coupons.length === 0)
    return <EmptyState text={t('No coupons yet. Create one, and tell your customers its code.')} />
  return (
    <SearchableTable
      caption={t('Coupons')}
      rows={coupons}
      columns={COLUMNS}
      getTexts={({ code }) => [code]}
      filters={FILTERS}
      noun="coupon"
      noneText={t('No coupon matches.')}
      actions={coupon => (
        <RowActions
          query={{ coupon: coupon.id }}
          label={t(coupon.state === 'ended' ? 'View' : 'Edit')}
          name={coupon.code}
        >
          {coupon.state !== 'ended' && <EndCoupon coupon={coupon} />}
        </RowActions>
      )}
    />
  )
}

interface CouponEditorProps {
  id: string
  categories: readonly Category[]
}

export function CouponEditor({ id, categories }: CouponEditorProps) {
  return (
    <RecordEditor
      id={id}
      kind="coupon"
      form={COUPON_FORM}
      read={coupons.read}
      getTitle={({ code }) => code}
      actions={coupon =>
        coupon.state !== 'ended' && <EndCoupon coupon={coupon} onDone={() => pushQuery('')} />
      }
    >
      {record =>
        record.item?.state === 'ended' ? (
          <EndedCoupon coupon={record.item} />
        ) : (
          <CouponForm categories={categories} {...record} />
        )
      }
    </RecordEditor>
  )
}

type CouponFormProps = OpenRecord<AdminCoupon> & Pick<CouponEditorProps, 'categories'>

function CouponForm({ categories, ...record }: CouponFormProps) {
  const { item } = record
  const form = useRecordForm({
    ...record,
    form: COUPON_FORM,
    empty: createEmptyCoupon(Date.now()),
    choices: toChoices(categories),
    save: (latest, edits) =>
      coupons.change(latest.id, { ...toCouponFields(latest), ...edits, version: latest.version }),
    name: ({ code }) => t('Coupon {code}', { code }),
    savedText: () => t('Saved.'),
    create: async (fields, key) => {
      await coupons.create({ ...fields, key })
      notify({ title: t('Coupon {code} created', fields) })
    }
  })
  return (
    <RecordForm
      label={t('Coupon')}
      form={form}
      saveLabel={t(item ? 'Save coupon' : 'Create coupon')}
    >
      {item && (
        <p>
          {COUPON_STATES[item.state]} · {t('used {uses}', { uses: formatUses(item) })}
        </p>
      )}
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
        <FormFields specs={listCouponSpecs(form.typed)} form={form} />
        <p className="text-ink/70 sm:col-span-2">
          {t(
            'An item never has two reductions: customers pay the lowest of coupon, sale price ' +
              'and drawn discount.'
          )}
        </p>
      </div>
    </RecordForm>
  )
}

function EndedCoupon({ coupon }: { coupon: AdminCoupon }) {
  const { startTime, endTime } = coupon
  return (
    <>
      <p>{ADMIN_MESSAGES.couponEnded}</p>
      <dl className="mt-4 grid gap-4 sm:grid-cols-2">
        <Fact term={t('Discount')}>{formatCouponDiscount(coupon)}</Fact>
        <Fact term={t('Uses')}>{formatUses(coupon)}</Fact>
        <Fact term={t('Start')}>{formatDayAndTime(startTime)}</Fact>
        <Fact term={t('End')}>{endTime !== null && formatDayAndTime(endTime)}</Fact>
      </dl>
    </>
  )
}

function EndCoupon({ coupon: { id, code }, onDone }: { coupon: AdminCoupon; onDone?: () => void }) {
  return (
    <ConfirmButton
      label={t('End now')}
      name={t('End {code} now', { code })}
      title={t('End {code} now?', { code })}
      confirmLabel={t('End coupon')}
      busyLabel={t('Ending…')}
      errorTitle={t('The coupon was not ended')}
      onConfirm={async () => {
        await endCoupon(id)
        notify({ title: t('Coupon {code} ended', { code }) })
      }}
      onDone={onDone}
    >
      {t(
        'Nobody can use it from now on. Payments that are already open keep it. ' +
          'This can’t be undone.'
      )}
    </ConfirmButton>
  )
}
