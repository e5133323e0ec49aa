/** `trust make|sign|show`: the company's trust file. */
import { resolve } from 'node:path'
import { trustDraftSchema } from '#contract/evidence/trust-file.ts'
import type { SavedTrustFile } from '#contract/evidence/trust-view.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { fieldFaultSentence } from '#contract/failures/sentences.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { faultsOfIssues } from '#contract/verification/field-issues.ts'
import { readAttachment } from '#core/evidence/evidence.ts'
import { readTrustFile, trustRefusal, type TrustFile } from '#core/evidence/trust-file.ts'
import { jsonOf } from '#kit/hashing/json.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import type { OptionValues } from './parse.ts'
import { count, print, time } from './print-text.ts'

/** The text of a file. */
async function textAt(file: string): Promise<Result<string, Failure>> {
  const bytes = await readAttachment(resolve(file))
  return bytes.ok ? ok(Buffer.from(bytes.value).toString('utf8')) : bytes
}

const waiting = (waitsFor: number): string =>
  waitsFor === 0
    ? 'It counts: enough keepers have signed it.'
    : `Waiting for ${count(waitsFor, 'more signature', 'more signatures')} of keepers: “trust sign FILE” adds that of an installation.`

function savedEnding({ options }: Context, saved: SavedTrustFile): Ending {
  const { text: _text, ...facts } = saved
  const { path, organisation, version, expires, origin, waitsFor } = facts
  return {
    exit: 'done',
    out: print(options['json'], facts, [
      path,
      `Version ${version} of the trust file of ${oneLine(organisation)}, until ${time(expires)}`,
      `Digest of its first keepers: ${origin}`,
      waiting(waitsFor)
    ])
  }
}

/** The draft in a file. */
async function draftIn(file: string): Promise<Result<unknown, Ending>> {
  const text = await textAt(file)
  if (!text.ok) return fail(failureEnding(text.failure))
  const json = jsonOf(text.value)
  const draft = trustDraftSchema.safeParse(json)
  if (draft.success) return ok(json)
  const [[place, fault] = ['', undefined]] = Object.entries(faultsOfIssues(draft.error.issues))
  const where = place === '' ? '' : ` at ${oneLine(place)}`
  return fail(
    usage(`The draft is not valid${where}. ${fault ? fieldFaultSentence(fault) : ''}\nNothing was signed or written.`)
  )
}

/** Drafts a version and signs it with this installation's key. */
export async function makeTrustFile(context: Context): Promise<Ending> {
  const [from, before] = [textOption(context, 'from'), textOption(context, 'before')]
  if (from === undefined || !textOption(context, 'to'))
    return usage('Name the draft and the file: trust make --from DRAFT --to FILE')
  const draft = await draftIn(from)
  if (!draft.ok) return draft.failure
  const earlier = before === undefined ? ok(undefined) : await textAt(before)
  if (!earlier.ok) return failureEnding(earlier.failure)
  const made = await context.ask('trust.make', {
    draft: draft.value as object,
    ...(earlier.value !== undefined && { before: earlier.value })
  })
  if (!made.ok) return failureEnding(made.failure)
  return made.value ? savedEnding(context, made.value) : usage('Name the file: --to FILE')
}

/** Adds this installation's signature to the last version. */
export async function signTrustFile(context: Context): Promise<Ending> {
  const [file, ...more] = context.operands
  if (file === undefined || more.length > 0 || !textOption(context, 'to'))
    return usage('Name the file, and the one to write: trust sign FILE --to FILE')
  const text = await textAt(file)
  if (!text.ok) return failureEnding(text.failure)
  const signed = await context.ask('trust.sign', { text: text.value })
  if (!signed.ok) return failureEnding(signed.failure)
  return signed.value ? savedEnding(context, signed.value) : usage('Name the file: --to FILE')
}

const periodOf = (from: number, until: number | null): string =>
  `from ${time(from)}${until === null ? '' : ` until ${time(until)}`}`

function contentLines({ speaking, origin, signedBy, keepersBefore, waitsFor }: TrustFile): string[] {
  const { organisation, version, issued, expires, keepers, signers, revocations, timestamps, ca, verifiers } = speaking
  const keeperLine = (word: string) => (key: string) =>
    `${word}  ${fingerprintOf(key)}${signedBy.includes(fingerprintOf(key)) ? '  signed' : ''}`
  return [
    `Version ${version} of the trust file of ${oneLine(organisation)}`,
    `Issued ${time(issued)}, expires ${time(expires)}${expires < Date.now() ? ': it has expired' : ''}`,
    `Digest of its first keepers: ${origin}`,
    ...keepers.map(keeperLine('keeper        ')),
    ...(keepersBefore ?? []).filter((key) => !keepers.includes(key)).map(keeperLine('keeper before ')),
    ...signers.map(
      ({ key, name, roles, from, until }) =>
        `${roles.join(', ').padEnd(14)}  ${key}  ${oneLine(name)}, ${periodOf(from, until)}`
    ),
    ...revocations.map(
      ({ key, reason, since, recorded }) =>
        `revoked         ${key}  since ${time(since)} (${reason}), recorded ${time(recorded)}`
    ),
    ...verifiers.map((each) => `verifier        ${each.sha256}  ${oneLine(each.version)}`),
    `Authorities: ${timestamps.length} for time-stamps, ${ca.length} for signers`,
    waiting(waitsFor)
  ]
}

/** Shows the last version of a trust file. Needs no console. */
export async function showTrustFile(operands: readonly string[], options: OptionValues): Promise<Ending> {
  const [file, ...more] = operands
  if (file === undefined || more.length > 0) return usage('Name a file: trust show FILE')
  const text = await textAt(file)
  if (!text.ok) return failureEnding(text.failure)
  const read = readTrustFile(text.value)
  if (!read.ok) return failureEnding(trustRefusal(read.failure))
  const { speaking, origin, signedBy, waitsFor } = read.value
  const shown = { ...speaking, origin, signedBy, waitsFor }
  return { exit: 'done', out: print(options['json'] === true, shown, contentLines(read.value)) }
}
