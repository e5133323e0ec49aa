/** Applicants and the audit trail, asked for over the line to the history's worker. */
import { ok } from '#contract/result.ts'
import type { ApplicantStore } from './api/applicants.ts'
import type { Anchor } from '../audit/anchor.ts'
import type { AuditStore } from './api/audit.ts'

type Call = <T>(method: string, ...args: readonly unknown[]) => Promise<T>

export function applicantPort(call: Call): ApplicantStore {
  return {
    list: (query) => call('applicants.list', query),
    show: (applicantId) => call('applicants.show', applicantId),
    timeline: (query) => call('applicants.timeline', query),
    note: (applicantId, text, by) => call('applicants.note', applicantId, text, by),
    tag: (applicantId, tags, by) => call('applicants.tag', applicantId, tags, by),
    link: (recordId, applicantId, by) => call('applicants.link', recordId, applicantId, by),
    unlink: (recordId, by) => call('applicants.unlink', recordId, by),
    decide: (draft, by) => call('applicants.decide', draft, by),
    queue: (query, now) => call('applicants.queue', query, now),
    due: (draft, by) => call('applicants.due', draft, by),
    catalogue: (query) => call('applicants.catalogue', query),
    readings: (id) => call('applicants.readings', id),
    read: (draft, by) => call('applicants.read', draft, by)
  }
}

/** @param anchor The head that the keychain holds. */
export function auditPort(call: Call, anchor: () => Anchor | undefined): AuditStore {
  return {
    note: (note) => call('audit.note', note),
    page: (query) => call('audit.page', query),
    head: () => call('audit.head'),
    inclusion: (seq, size) => call('audit.inclusion', seq, size),
    consistency: (from, size) => call('audit.consistency', from, size),
    async anchors() {
      const inside = await call<Awaited<ReturnType<AuditStore['anchors']>>>('audit.anchors')
      const outside = anchor()
      if (!inside.ok || !outside) return inside
      const { until, known } = inside.value
      return ok({ until, known: [...known, { seq: outside.seq, hash: outside.hash }], anchor: { seq: outside.seq, at: outside.at } })
    },
    walk: (task) => call('audit.walk', task)
  }
}
