import { type SyntheticEvent, useState } from 'react'
import { api } from '#lib/api.ts'
import { isLanguage, LANGUAGE_CODES, LANGUAGES } from '#lib/constants.ts'
import { language, t, text } from '#lib/contract/texts.ts'
import { LabelledSelect, Load, Note, ViewHeading, viewLink } from '../ui/views.tsx'

const LOOKS = [
  ['light', text('Light')],
  ['dark', text('Dark')],
  ['text', text('Plain text')]
] as const

export function MailSamples() {
  const [code, setCode] = useState(language)
  const [look, setLook] = useState('light')
  const [index, setIndex] = useState('0')
  return (
    <>
      <ViewHeading back={{ to: t('All settings'), ...viewLink('') }} title={t('All emails')} />
      <p className="mb-4">
        {t('What the shop sends, here about an invented order. Nothing is sent from this page.')}
      </p>
      <div className="mb-4 grid gap-4 sm:grid-cols-2">
        <LabelledSelect
          label={t('Language')}
          value={code}
          choices={LANGUAGE_CODES.map(each => [each, LANGUAGES[each].name])}
          onType={next => isLanguage(next) && setCode(next)}
        />
        <LabelledSelect label={t('Look||noun')} value={look} choices={LOOKS} onType={setLook} />
      </div>
      <Load
        id={code}
        label={t('emails')}
        read={() => api('GET /admin/mails', { query: { language: code } })}
      >
        {({ from, mails }) => {
          const { to = '', subject = '', text = '', html = '' } = mails[Number(index)] ?? {}
          return (
            <div className="grid gap-4">
              <LabelledSelect
                label={t('Email')}
                value={index}
                choices={mails.map((mail, place) => [
                  String(place),
                  `${place + 1}. ${mail.subject}`
                ])}
                onType={setIndex}
              />
              <section
                aria-label={subject}
                lang={LANGUAGES[code].locale}
                className="card overflow-hidden break-words"
              >
                <div className="p-4">
                  <p className="font-semibold">{subject}</p>
                  <Note>{`${from} → ${to}`}</Note>
                </div>
                {look === 'text' ? (
                  <p className="whitespace-pre-wrap p-4">{text}</p>
                ) : (
                  <Frame key={index + look} title={subject} html={html} isDark={look === 'dark'} />
                )}
              </section>
            </div>
          )
        }}
      </Load>
    </>
  )
}

const STYLE = /<style>(.*?)<\/style>/s

function Frame({ title, html, isDark }: { title: string; html: string; isDark: boolean }) {
  const show = ({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>) => {
    const page = frame.contentDocument
    if (!page?.defaultView) return
    // The content security policy blocks style elements, but not the style sheets of a script.
    const sheet = new page.defaultView.CSSStyleSheet()
    const style = STYLE.exec(html)?.[1] ?? ''
    sheet.replaceSync(style.replace('(prefers-color-scheme: dark)', isDark ? 'all' : 'not all'))
    page.adoptedStyleSheets = [sheet]
    const fit = () => void (frame.style.height = `${page.body.offsetHeight}px`)
    new ResizeObserver(fit).observe(page.body)
  }
  return (
    <iframe
      title={title}
      // Without scripts. Links open nothing, because new windows are not allowed either.
      sandbox="allow-same-origin"
      srcDoc={html.replace(STYLE, '<base target="_blank">')}
      className="w-full border-0"
      onLoad={show}
    />
  )
}
