/** Tags: what a subject is called in the team's database. Every member can compute them; they tell the database nothing. */
import { createHmac, type KeyObject } from 'node:crypto'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { purposeKey } from '#team/keys/sealing.ts'

/** A subject of a team: numbered by the installation that recorded it. */
export interface SubjectPlace {
  readonly team: string
  readonly installation: string
  readonly number: number
}

/** @param firstContentKey Of epoch 1: every member has it, whenever it joined, and a tag never changes. */
export const tagKey = (firstContentKey: Uint8Array): KeyObject => purposeKey(firstContentKey, 'subject-tag')

/** 32 bytes. */
export const subjectTag = (key: KeyObject, { team, installation, number }: SubjectPlace): Buffer =>
  createHmac('sha256', key)
    .update(canonical(['subject', team, installation, number]), 'utf8')
    .digest()
