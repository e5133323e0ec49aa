/** `evidence certificate request|import|show|remove`. */
import { resolve } from 'node:path'
import type { SigningCertificate } from '#contract/evidence/certificates.ts'
import { failure } from '#contract/failures/failures.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { readRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { oneOf, print, time } from './print-text.ts'

/** A certificate with those of its issuers has a few kilobytes. */
const maxCertificateBytes = 256 * 1024

const works = ['request', 'import', 'show', 'remove'] as const

const line = ({ subject, issuer, until, sha256 }: SigningCertificate): string =>
  `${oneLine(subject)}, issued by ${oneLine(issuer)}, until ${time(until)}, SHA-256 ${sha256}`

export async function certificate(context: Context): Promise<Ending> {
  const [work = 'show', file] = context.operands
  const json = context.options['json']
  switch (oneOf(works, work)) {
    case 'request':
      return requested(context)
    case 'import': {
      if (file === undefined) return usage('Name the file: evidence certificate import FILE')
      let pem: string
      try {
        pem = (await readRegular(resolve(file), maxCertificateBytes)).toString('latin1')
      } catch (error) {
        return failureEnding(failure('file-unreadable', { file, errno: codeOf(error) }))
      }
      const imported = await context.ask('certificates.import', { pem })
      return imported.ok
        ? { exit: 'done', out: print(json, imported.value, imported.value.map(line)) }
        : failureEnding(imported.failure)
    }
    case 'show': {
      const shown = await context.ask('certificates.show')
      if (!shown.ok) return failureEnding(shown.failure)
      return {
        exit: 'done',
        out: print(
          json,
          shown.value,
          shown.value.length > 0 ? shown.value.map(line) : ['The signing key has no certificate.']
        )
      }
    }
    case 'remove': {
      const removed = await context.ask('certificates.remove')
      return removed.ok
        ? { exit: 'done', out: 'Packs contain no certificate from now on.' }
        : failureEnding(removed.failure)
    }
    case undefined:
      return usage(`Say what to do: evidence certificate ${works.join('|')}`)
  }
}

async function requested(context: Context): Promise<Ending> {
  const name = textOption(context, 'name')
  const organisation = textOption(context, 'organisation')
  if (!name || !textOption(context, 'to')) return usage('Name whom it is for and the file: --name TEXT --to FILE')
  if ([name, organisation ?? ''].some((text) => text.length > 64))
    return usage('--name and --organisation have at most 64 characters.')
  const saved = await context.ask('certificates.request', { name, ...(organisation && { organisation }) })
  if (!saved.ok) return failureEnding(saved.failure)
  return { exit: 'done', out: saved.value?.path ?? '' }
}
