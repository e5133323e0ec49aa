/** Applicants and the audit trail, asked for over the line to the history's worker. */
import type { ApplicantStore } from '../applicants/store.ts'
import type { AuditStore } from '../audit/store.ts'

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

export function auditPort(call: Call): AuditStore {
  return {
    note: (note) => call('audit.note', note),
    page: (query) => call('audit.page', query),
    head: () => call('audit.head'),
    inclusion: (seq, size) => call('audit.inclusion', seq, size),
    consistency: (from, size) => call('audit.consistency', from, size),
    anchors: () => call('audit.anchors'),
    walk: (task) => call('audit.walk', task)
  }
}
