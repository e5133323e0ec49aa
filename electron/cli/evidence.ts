/** `evidence pack|verify`. */
import { sentencesOf } from '#contract/failures/sentences.ts'
import { failureText } from './print.ts'
import { resolve } from 'node:path'
import {
  readFingerprint, redactionProfileIds, type EvidenceAbout, type EvidenceFinding, type EvidenceVerdict, type HeldCountersignature, type RedactionProfile
} from '#contract/evidence.ts'
import { oneLine } from '#contract/hidden-text.ts'
import { fail, ok, type Result } from '#contract/result.ts'
import { comparePacks, type Comparison } from '#core/evidence/format-1/compare.ts'
import { countersignersFinding } from '#core/evidence/countersigners.ts'
import { choosePack, verdictOf } from '#core/evidence/evidence.ts'
import type { Pack } from '#core/evidence/format-1/pack.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import type { OptionValues } from './parse.ts'
import { count, oneOf, print, time } from './print-text.ts'

const kinds = ['record', 'applicant', 'batch'] as const

/** Writes a signed pack; with `--pdf`, also a readable page, printed by an installed browser. */
export async function packEvidence(context: Context): Promise<Ending> {
  const [kind = '', ...rest] = context.operands
  const id = rest.join(' ')
  const known = oneOf(kinds, kind)
  if (!known || id === '' || !textOption(context, 'to')) return usage('Name what to write and the file: evidence pack record|applicant|batch ID --to FILE')
  const profile = oneOf<RedactionProfile>(redactionProfileIds, textOption(context, 'profile') ?? 'full')
  if (!profile) return usage(`--profile is one of ${redactionProfileIds.join(', ')}.`)
  const pdf = context.options.pdf === true
  if (pdf && !context.canPrint)
    return {
      exit: 'unavailable',
      error:
        'No Chromium, Chrome or Edge was found to print the PDF with.\nNothing was written.\n' +
        'Install one, or name its program in the environment variable VERIDESK_BROWSER; or omit --pdf: the pack itself does not need it.'
    }
  const made = await context.ask('evidence.create', { about: { kind: known, id } satisfies EvidenceAbout, profile, pdf })
  if (!made.ok) return failureEnding(made.failure)
  if (!made.value) return usage('Name the file: --to FILE')
  const { path, records, events, sha256, pdfPath, pdfFault } = made.value
  const lines = [path, ...(pdfPath === undefined ? [] : [pdfPath]), `${count(records, 'record', 'records')}, ${count(events, 'event', 'events')}`, `SHA-256 ${sha256}`]
  const out = print(context.options.json, made.value, lines)
  return pdfFault === undefined ? { exit: 'done', out } : { exit: 'fileMissing', out, error: failureText(pdfFault) }
}

/**
 * Verifies a pack. Needs no console: no data folder, lock or keychain, so it also runs beside an open window and on a
 * machine without Veridesk's data. The reader states the expected signing key with `--key`, and those
 * of countersigners with `--countersigner`.
 */
export async function verifyEvidence(operands: readonly string[], options: OptionValues): Promise<Ending> {
  const [file] = operands
  const asked = askedOf(options)
  if (!asked.ok) return usage(asked.failure)
  const { key, countersigners, required } = asked.value
  if (file === undefined || operands.length > 1) return usage('Name a file: evidence verify FILE')
  const chosen = await choosePack(async () => resolve(file), '')
  if (!chosen.ok) return failureEnding(chosen.failure)
  if (!chosen.value) return usage('Name a file: evidence verify FILE')
  // Without the keychain it is not known whether the key is this installation's own.
  const { ownKey: _unknown, ...verdict } = verdictOf(chosen.value.file, chosen.value.checked, undefined)
  const { signedBy } = verdict
  const { pack } = chosen.value.checked
  const besides = pack === undefined || !verdict.verified ? [] : await besideFindings(pack, textOf(options['beside']))
  const signer = key === undefined || signedBy === undefined ? [] : [signerFinding(signedBy, key)]
  const held = (verdict.countersignatures ?? []).map((each) => ({ ...each, keyCompared: countersigners.includes(each.key) }))
  const second = countersigners.length === 0 || !verdict.verified ? [] : [countersignersFinding(held, countersigners, required)]
  const findings = [...verdict.findings, ...signer, ...second, ...besides]
  const verified = findings.every(({ passed }) => passed)
  const signerCompared = key !== undefined
  const answer = { ...verdict, verified, signerCompared, ...(verdict.countersignatures && { countersignatures: held }), findings }
  const steps = findings.map(({ passed, warning, what, detail }) => `${passed ? (warning ? 'WARNING' : 'passed ') : 'REFUSED'}  ${what.padEnd(18)}${detail}`)
  const conclusion = !verified ? 'REFUSED.' : signerCompared ? 'VERIFIED.' : 'INTACT, SIGNER UNKNOWN.'
  const unknown = verified && !signerCompared ? ['The signer is not confirmed: get the fingerprint of the key through another channel, and pass it with --key.'] : []
  const out = print(options['json'] === true, answer, [conclusion, ...steps, ...factsOf(verdict), ...held.map(countersignatureLine), ...unknown])
  return { exit: !verified ? 'refused' : signerCompared ? 'done' : 'signerUnknown', out }
}

interface Asked {
  readonly key: string | undefined
  readonly countersigners: readonly string[]
  readonly required: number
}

/** What the reader requires of the keys; a sentence if that is invalid. */
function askedOf(options: OptionValues): Result<Asked, string> {
  const named = textOf(options['key'])
  const key = named === undefined ? undefined : readFingerprint(named)
  if (named !== undefined && key === undefined) return fail('--key is a fingerprint: 64 hexadecimal digits. Nothing was verified.')
  const given = options['countersigner']
  const read = (Array.isArray(given) ? (given as readonly string[]) : []).map(readFingerprint)
  const countersigners = [...new Set(read.filter((each) => each !== undefined))]
  if (read.includes(undefined)) return fail('--countersigner is a fingerprint: 64 hexadecimal digits. Nothing was verified.')
  const count = textOf(options['countersignatures'])
  const required = count === undefined ? countersigners.length : /^\d{1,6}$/.test(count) ? Number(count) : Number.NaN
  if (!(required <= countersigners.length)) return fail('--countersignatures is at most the number of keys that --countersigner names. Nothing was verified.')
  return ok({ key, countersigners, required })
}

/** How a pack describes itself, so that it is not mistaken for another. */
function factsOf({ about, erased = [], madeAt, madeBy, profile, signedBy, withheld = 0 }: Omit<EvidenceVerdict, 'ownKey'>): string[] {
  if (signedBy === undefined || madeAt === undefined) return []
  return [
    `About ${about ? `${about.kind} ${about.id}` : 'an applicant whose ID is withheld'}`,
    `Created ${time(madeAt)} by ${madeBy ?? '(withheld)'}, according to the signer`,
    `Disclosure ${profile}, ${count(withheld, 'value', 'values')} withheld`,
    ...(erased.length === 0 ? [] : [`Not given, as after an erasure: ${erased.slice(0, 50).join(', ')}${erased.length > 50 ? `, and ${erased.length - 50} more` : ''}`]),
    `Signed by key ${signedBy}`
  ]
}

const countersignatureLine = ({ agrees, at, by, key, note, keyCompared }: HeldCountersignature & { readonly keyCompared: boolean }): string =>
  `Countersignature, ${keyCompared ? 'key named by you' : 'key not compared'}: ${agrees ? 'agrees' : 'DOES NOT AGREE'}, ${time(at)}, key ${key}, under the name ${oneLine(by)}${note === '' ? '' : `, note: ${oneLine(note)}`}`

const textOf = (option: unknown): string | undefined => (typeof option === 'string' ? option : undefined)

/**
 * Compares with a fuller pack, if one is given: whether it confirms what this pack redacts or contains individually.
 */
async function besideFindings(pack: Pack, file: string | undefined): Promise<EvidenceFinding[]> {
  if (file === undefined) return []
  const refused = (detail: string): EvidenceFinding[] => [{ what: 'beside', passed: false, detail }]
  const chosen = await choosePack(async () => resolve(file), '')
  if (!chosen.ok) return refused(sentencesOf(chosen.failure).what)
  const full = chosen.value?.checked
  if (!full?.verified || full.pack === undefined) return refused('The other pack does not verify by itself: evidence verify says why.')
  if (full.pack.signature.key !== pack.signature.key) return refused('The other pack was signed with another key.')
  const found = comparePacks(pack, full.pack)
  const { differing } = found
  if (differing.length > 0) return refused(`The other pack shows something else: ${differing.slice(0, 5).join('; ')}${differing.length > 5 ? `; ${differing.length - 5} more` : ''}.`)
  if (found.events === 0) return refused('The two hold no event in common.')
  return [borneOut(found)]
}

/** What a fuller pack confirms, and what only the signer vouches for. */
function borneOut({ events, alone, values, given, open, named, trails }: Comparison): EvidenceFinding {
  const detail = [
    `The other pack bears out ${count(values, 'value', 'values')} of ${count(events, 'event', 'events')} that both hold: ${given} shown and ${values - given} withheld.`,
    ...(open > 0 ? [`${count(open, 'value', 'values')} cannot be compared.`] : []),
    ...(alone > 0 ? [`${count(alone, 'event', 'events')} ${alone === 1 ? 'is' : 'are'} not in the other pack.`] : []),
    ...(named ? [] : ['No event of the other pack names what this one is about.']),
    ...(trails === 'open' ? ['Whether one audit trail continues the other cannot be determined from the two.'] : [])
  ].join(' ')
  return { what: 'beside', passed: true, detail, ...((alone > 0 || !named) && { warning: true as const }) }
}

/** Whether the key is the one that the reader expects. */
const signerFinding = (signedBy: string, key: string): EvidenceFinding =>
  signedBy === key
    ? { what: 'signer', passed: true, detail: 'It was signed with the key that you named.' }
    : { what: 'signer', passed: false, detail: 'It was signed with another key than the one that you named.' }
