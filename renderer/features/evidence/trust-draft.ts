/** The form of a new version of the trust file: what it begins with, what is wrong with it, and the draft that is sent. */
import { readFingerprint } from '#contract/evidence/evidence.ts'
import type { RevocationReason } from '#contract/evidence/keys.ts'
import type { TrustDraftInput } from '#contract/evidence/trust-file.ts'
import { maxTrustDays, trustRoles, type TrustFileView, type TrustRole } from '#contract/evidence/trust-view.ts'
import { dayStart, localDay } from '../../kit/time.ts'
import { words } from './trust-words.ts'

/** Days are those of fields, such as `2026-11-21`; empty for none. */
export interface TrustFormPerson {
  name: string
  key: string
  roles: TrustRole[]
  from: string
  /** The last day, which is still valid. */
  last: string
}
export interface TrustFormRevocation {
  key: string
  reason: RevocationReason
  since: string
}
export interface TrustForm {
  organisation: string
  days: string
  keepers: { key: string }[]
  signers: TrustFormPerson[]
  revocations: TrustFormRevocation[]
}

/** The last day of a period that ends at a time. */
const lastDayOf = (until: number): string => localDay(until - 1)
const usualDays = 365

/** What the form begins with. @param own The key of this installation, which belongs to a keeper of a first version. */
export function formOf(before: TrustFileView | undefined, own: string | undefined): TrustForm {
  if (!before)
    return {
      organisation: '',
      days: String(usualDays),
      keepers: [{ key: own ?? '' }, { key: '' }],
      signers: [],
      revocations: []
    }
  return {
    organisation: before.organisation,
    days: String(usualDays),
    keepers: before.keepers.flatMap(({ publicKey, former }) => (former ? [] : [{ key: publicKey }])),
    signers: before.signers.map(({ name, key, roles, from, until }) => ({
      ...{ name, key, roles: [...roles], from: localDay(from) },
      last: until === null ? '' : lastDayOf(until)
    })),
    revocations: before.revocations.map(({ key, reason, since }) => ({ key, reason, since: localDay(since) }))
  }
}

/** What every Ed25519 public key in PEM begins with (RFC 8410), before its 32 bytes. */
const spki = '302a300506032b6570032100'
/** A raw public key, hex, from its digits or the text of a PEM file; undefined if it is none. */
export function publicKeyIn(text: string): string | undefined {
  const digits = text.replace(/[\s:]/g, '').toLowerCase()
  if (/^[0-9a-f]{64}$/.test(digits)) return digits
  const [, body] = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/.exec(text) ?? []
  if (body === undefined) return undefined
  try {
    const hex = Array.from(atob(body.replace(/\s/g, '')), (each) => each.charCodeAt(0).toString(16).padStart(2, '0'))
    const der = hex.join('')
    return der.length === 88 && der.startsWith(spki) ? der.slice(spki.length) : undefined
  } catch {
    return undefined
  }
}

/** The number of days; undefined if it is none that is allowed. */
export function daysIn(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0
  return days >= 1 && days <= maxTrustDays ? days : undefined
}

const twice = (keys: readonly (string | undefined)[], at: number): boolean =>
  keys[at] !== undefined && keys.indexOf(keys[at]) !== at

/** What is wrong, by the field: `days`, `keepers.1`, `signers.0.last`. Empty if nothing is. */
export function faultsOf(form: TrustForm, now: number): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  const fault = words.fault
  if (form.organisation.trim() === '') faults.set('organisation', fault.organisation)
  if (daysIn(form.days) === undefined) faults.set('days', fault.days)
  const keepers = form.keepers.map(({ key }) => publicKeyIn(key))
  for (const [at, key] of keepers.entries())
    if (key === undefined) faults.set(`keepers.${at}`, fault.keeperKey)
    else if (twice(keepers, at)) faults.set(`keepers.${at}`, fault.keeperTwice)
  if (form.keepers.length < 2) faults.set('keepers', fault.keepers)
  const keys = form.signers.map(({ key }) => readFingerprint(key))
  for (const [at, { name, roles, from, last }] of form.signers.entries()) {
    if (name.trim() === '') faults.set(`signers.${at}.name`, fault.name)
    if (keys[at] === undefined) faults.set(`signers.${at}.key`, fault.key)
    else if (twice(keys, at)) faults.set(`signers.${at}.key`, fault.keyTwice)
    if (roles.length === 0) faults.set(`signers.${at}.roles`, fault.roles)
    if (last !== '' && last < (from || localDay(now))) faults.set(`signers.${at}.last`, fault.lastDay)
  }
  const revoked = form.revocations.map(({ key }) => readFingerprint(key))
  for (const [at, { since }] of form.revocations.entries()) {
    if (revoked[at] === undefined) faults.set(`revocations.${at}.key`, fault.key)
    else if (twice(revoked, at)) faults.set(`revocations.${at}.key`, fault.keyTwice)
    if (since > localDay(now)) faults.set(`revocations.${at}.since`, fault.since)
  }
  return faults
}

const timeOf = (day: string, days = 0): string | undefined => {
  const at = dayStart(day, days)
  return at === undefined ? undefined : new Date(at).toISOString()
}
/** A day as a time; the exact earlier time if the day is still that one. */
const kept = (day: string, earlier: number | null | undefined): string | undefined =>
  typeof earlier === 'number' && localDay(earlier) === day ? new Date(earlier).toISOString() : timeOf(day)

/** The draft of a form without faults. Times of entries whose days were not touched stay exactly as they were. */
export function draftOf(form: TrustForm, before: TrustFileView | undefined): TrustDraftInput {
  return {
    organisation: form.organisation.trim(),
    days: daysIn(form.days) ?? usualDays,
    keepers: form.keepers.map(({ key }) => publicKeyIn(key) ?? key),
    signers: form.signers.map(({ name, key, roles, from, last }) => {
      const old = before?.signers.find((each) => each.key === readFingerprint(key))
      const first = kept(from, old?.from)
      const isOld = typeof old?.until === 'number' && lastDayOf(old.until) === last
      const until = isOld ? new Date(old.until as number).toISOString() : timeOf(last, 1)
      return {
        name: name.trim(),
        key,
        roles: trustRoles.filter((role) => roles.includes(role)),
        ...(first !== undefined && { from: first }),
        until: until ?? null
      }
    }),
    revocations: form.revocations.map(({ key, reason, since }) => {
      const at = kept(since, before?.revocations.find((each) => each.key === readFingerprint(key))?.since)
      return { key, reason, ...(at !== undefined && { since: at }) }
    })
  }
}
