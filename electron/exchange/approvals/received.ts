/** Requests for approval and answers of colleagues, and what they rest on, read from the file of received events. */
import { answeredOf } from '#contract/applicants/checklists.ts'
import { applicantIdSchema } from '#contract/applicants/applicant-id.ts'
import type { TeamApproval } from '#contract/team/approvals.ts'
import type { NamedEvent } from '#wire/history/approvals.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { plainOf, sealedOf } from '../activity/forms.ts'
import { newest, Positions } from '../activity/positions.ts'
import { ReceivedEvents, type SubjectPlace } from '../activity/received-events.ts'
import { codeOfEntry } from '#team/log/entries.ts'
import { placeOf, refOf, seqOf } from '#team/log/places.ts'
import type { KnownAnswer, KnownAsk } from './state.ts'

/** What is shown of an event, besides what counts. */
interface Shown {
  readonly at: number
  readonly note: string | undefined
}
export interface ReceivedAsk extends KnownAsk, Shown {
  readonly applicantId: string
  /** The team in which it was asked, or the audit trail that asked by file. */
  readonly scope: string
  readonly decided:
    | (NonNullable<TeamApproval['decision']> & { readonly hash: string; readonly operator: string | undefined })
    | undefined
  /** Records that its decision rests on and that are not shared. */
  readonly unshared: number
}
export interface ReceivedAnswer extends KnownAnswer, Shown {
  /** Of its event, hex. */
  readonly hash: string
}

/** How many are read: of one installation, of one applicant at an installation, and bytes for one answer. */
const most = { ofInstallation: 200, ofSubject: 50, bytes: 32 * 1024 * 1024 } as const
const codes = { asked: codeOfEntry('approval-asked'), answered: codeOfEntry('approval-answered') } as const

/** Exported for `EXPLAIN QUERY PLAN`. */
export const approvalStatements = {
  ofSubject: `SELECT place, kind FROM entry WHERE ref = ? AND subject = ? AND kind IN (${codes.asked}, ${codes.answered})
    ORDER BY place DESC LIMIT ${most.ofSubject}`,
  evidence: 'SELECT seq FROM newest_evidence WHERE ref = ? AND subject = ?'
} as const

export class ReceivedApprovals {
  private readonly events: ReceivedEvents
  private readonly positions: Positions
  private readonly installations
  private readonly idOf
  private readonly refOfId
  private readonly ofSubject
  private readonly evidence
  private readonly hashAt
  private readonly hasCheck
  private readonly checklistAt
  private readonly anyAsk
  private readonly voided

  constructor(db: Db) {
    this.events = new ReceivedEvents(db)
    this.positions = new Positions(db)
    this.installations = db.prepare('SELECT ref FROM installation').pluck()
    this.idOf = db.prepare('SELECT id FROM installation WHERE ref = ?').pluck()
    this.refOfId = db.prepare('SELECT ref FROM installation WHERE id = ?').pluck()
    this.ofSubject = db.prepare(approvalStatements.ofSubject)
    this.evidence = db.prepare(approvalStatements.evidence).pluck()
    this.hashAt = db.prepare('SELECT lower(hex(hash)) FROM event WHERE place = ?').pluck()
    this.hasCheck = db.prepare('SELECT 1 FROM check_end WHERE ref = ? AND record = ?')
    this.checklistAt = db.prepare('SELECT place FROM checklist WHERE ref = ? AND number = ?').pluck()
    this.voided = db.prepare('SELECT 1 FROM void_answer WHERE ref = ? AND installation = ? AND seq = ?')
    this.anyAsk = db.prepare(`SELECT 1 FROM entry WHERE kind = ${codes.asked} LIMIT 1`)
  }

  hasAsks(): boolean {
    return this.anyAsk.get() !== undefined
  }

  /** The newest requests of each installation whose applicant is known here. `more`: there are older ones. */
  asks(): { readonly asks: readonly ReceivedAsk[]; readonly more: boolean } {
    this.events.bytes = 0
    let more = false
    const asks = (this.installations.all() as number[]).flatMap((ref) => {
      const found = this.positions.after('ofInstallation', [ref, codes.asked], newest, most.ofInstallation + 1)
      more ||= found.length > most.ofInstallation
      return found.slice(0, most.ofInstallation).flatMap(({ place }) => {
        more ||= this.events.bytes > most.bytes
        return this.events.bytes > most.bytes ? [] : (this.ask(place) ?? [])
      })
    })
    return { asks, more }
  }

  asksAbout(applicantId: string): readonly ReceivedAsk[] {
    return this.places(applicantId, codes.asked).flatMap((place) => this.ask(place) ?? [])
  }

  answersAbout(applicantId: string): readonly ReceivedAnswer[] {
    return this.places(applicantId, codes.answered).flatMap((place) => this.answer(place) ?? [])
  }

  /** Whether a colleague who asked has kept an answer as void. */
  isVoid(asker: string, { installation, seq }: Pick<KnownAnswer, 'installation' | 'seq'>): boolean {
    const ref = this.refOfId.get(asker) as number | undefined
    return ref !== undefined && this.voided.get(ref, installation, seq) !== undefined
  }

  private places(applicantId: string, wanted: number): readonly number[] {
    const found = this.events
      .subjectsOf(applicantId)
      .flatMap(
        ({ ref, number }) => this.ofSubject.all(ref, number) as { readonly place: number; readonly kind: number }[]
      )
    return found.flatMap(({ place, kind }) => (kind === wanted ? [place] : []))
  }

  /** Of each colleague, the last event about an applicant that is evidence or a decision. */
  newestEvidence(applicantId: string): readonly NamedEvent[] {
    const found = new Map<number, number>()
    for (const { ref, number } of this.events.subjectsOf(applicantId)) {
      const seq = this.evidence.get(ref, number) as number | undefined
      if (seq !== undefined && seq > (found.get(ref) ?? 0)) found.set(ref, seq)
    }
    return [...found].flatMap(([ref, seq]) => {
      const [installation, hash] = [
        this.idOf.get(ref) as string | undefined,
        this.hashAt.get(placeOf(ref, seq)) as string | undefined
      ]
      return installation === undefined || hash === undefined ? [] : [[installation, seq, hash] as const]
    })
  }

  /** The hash of a colleague's event; undefined if it has not arrived. */
  hashOf(installation: string, seq: number): string | undefined {
    const ref = this.refOfId.get(installation) as number | undefined
    return ref === undefined ? undefined : (this.hashAt.get(placeOf(ref, seq)) as string | undefined)
  }

  private ask(place: number): ReceivedAsk | undefined {
    const [ref, event] = [refOf(place), this.events.get(refOf(place), seqOf(place))]
    const installation = this.idOf.get(ref) as string | undefined
    const said = event && this.events.plain(event, plainOf.asked)
    if (!event || !said || event.subject === null || installation === undefined) return undefined
    const { key, applicant } = this.events.subject(ref, event.subject)
    const applicantId = applicantIdSchema.safeParse(applicant).data
    if (!key || applicantId === undefined) return undefined
    const decided = this.decision({ ref, number: event.subject }, key, said.decision[1])
    return {
      installation,
      seq: event.seq,
      hash: event.hash.toString('hex'),
      at: event.at,
      operator: said.operator,
      scope: said.scope,
      decision: said.decision,
      evidence: said.evidence,
      applicantId,
      note: this.events.sealed(event, key, sealedOf.noted)?.note,
      decided: decided?.shown,
      unshared: decided?.unshared ?? 0
    }
  }

  /** A decision about the same applicant, by the installation that asks. */
  private decision(
    { ref, number }: SubjectPlace,
    key: Buffer,
    seq: number
  ): { readonly shown: ReceivedAsk['decided']; readonly unshared: number } | undefined {
    const event = this.events.get(ref, seq)
    const said =
      event?.kind === 'decision.made' && event.subject === number
        ? this.events.plain(event, plainOf.decision)
        : undefined
    if (!event || !said) return undefined
    const { operator, decision, records, requires, checklist } = said
    const sealed = this.events.sealed(event, key, sealedOf.decision)
    const { reasons, note } = sealed ?? {}
    // Without the sealed part, nothing is known of the answers.
    const version = sealed && checklist && this.checklist(ref, checklist.ref)
    const answered =
      version !== undefined &&
      answeredOf(version, decision, { complete: checklist?.complete === true, checks: sealed?.checks ?? {} })
    return {
      shown: {
        seq,
        hash: event.hash.toString('hex'),
        operator,
        decision,
        ...(requires === 1 && { proposed: true as const }),
        ...(reasons && { reasons }),
        ...(note !== undefined && { note }),
        ...(answered && { checklist: answered })
      },
      unshared: (records ?? []).filter((record) => this.hasCheck.get(ref, record) === undefined).length
    }
  }

  /** The text of a version of an installation's checklist, by its number there. */
  private checklist(ref: number, number: number): string | undefined {
    const place = this.checklistAt.get(ref, number) as number | undefined
    const noted = place === undefined ? undefined : this.events.get(ref, seqOf(place))
    return noted && this.events.plain(noted, plainOf.checklist)?.text
  }

  private answer(place: number): ReceivedAnswer | undefined {
    const [ref, event] = [refOf(place), this.events.get(refOf(place), seqOf(place))]
    const installation = this.idOf.get(ref) as string | undefined
    const said = event && this.events.plain(event, plainOf.answered)
    if (!event || !said || event.subject === null || installation === undefined) return undefined
    const { key } = this.events.subject(ref, event.subject)
    return {
      ...said,
      operator: said.operator,
      installation,
      seq: event.seq,
      hash: event.hash.toString('hex'),
      at: event.at,
      note: this.events.sealed(event, key, sealedOf.noted)?.note
    }
  }
}
