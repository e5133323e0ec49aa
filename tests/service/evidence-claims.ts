/** Packs by a signer who lies, or changed by anyone, that nobody can refuse: the format names the reason of each. */
import type { KeyObject } from 'node:crypto'
import {
  contentOf,
  fileOf,
  fileText,
  partOf,
  publicOf,
  rebuilt,
  sha256,
  valuesOf,
  type PackFile
} from './evidence-builder.ts'
import {
  countAnew,
  drop,
  last,
  mixedOrderPack,
  eraseAll,
  eventOf,
  put,
  remade,
  withhold,
  zeros,
  type Change,
  type Level
} from './evidence-changes.ts'
import { director, genuinePacks, signer, type GenuineName } from './evidence-genuine.ts'

const person = 3

/** The sentences of the format that say why nobody can refuse a pack. */
export const claims = {
  'key': 'whose key it is, unless the fingerprint or a CA was compared',
  'another-audit-trail':
    'that the installation has no other audit trail with other content, unless packs or anchors are compared',
  'time': 'the time, unless a time-stamp shows it',
  'record': 'that the console recorded what happened: whoever controls the key and the program can record anything',
  'erased': 'that nobody has kept what is erased, or its key',
  'listed': 'that of the listed series nothing is left out',
  'complete': "against the key's holder, the completeness of every series that ends in this `pack.made`",
  'withheld':
    'an event whose values are all withheld still shows its time and kind, and a verifier says how many there are of each kind',
  'token': 'Anyone can remove a token'
} as const

export interface Accepted {
  readonly name: string
  readonly text: string
  readonly claim: keyof typeof claims
}

/** Packs that nobody can refuse, each with the sentence of the format that says so. */
export function acceptedLies(): Accepted[] {
  const of = (
    claim: keyof typeof claims,
    name: string,
    level: Level,
    base: GenuineName,
    change: Change,
    key: KeyObject = signer
  ): Accepted => ({ claim, name, text: fileText(remade(level, base, change, key)) })
  const file = (
    claim: keyof typeof claims,
    name: string,
    change: (file: PackFile) => PackFile,
    base: GenuineName
  ): Accepted => ({ claim, name, text: fileText(change(structuredClone(genuinePacks[base].file))) })
  const applicant = genuinePacks['applicant']
  return [
    of(
      'key',
      'a pack that anyone made',
      'rebuilt',
      'applicant',
      (content) => void (content.signer.key = publicOf(director)),
      director
    ),
    of('key', 'certificates left out', 'signed', 'record', (content) => void (content.signer.certificates = [])),
    {
      claim: 'another-audit-trail',
      name: 'another audit trail with the same events',
      text: fileText(
        fileOf(
          rebuilt(
            contentOf(applicant.file),
            applicant.leaves.map((hash, index) => (index === 3 ? sha256(hash) : hash))
          ),
          signer
        )
      )
    },
    of(
      'another-audit-trail',
      'no earlier pack named, and none shown',
      'signed',
      'record',
      (content) => void (content.consistency = null)
    ),
    of(
      'time',
      'a decision dated a year earlier',
      'rebuilt',
      'applicant',
      (content) => void (eventOf(content, 'decision.made').at -= 365 * 86_400_000)
    ),
    of(
      'time',
      'a pack dated a year earlier',
      'rebuilt',
      'applicant',
      (content) => void (last(content).at -= 365 * 86_400_000)
    ),
    of(
      'record',
      'a decision turned into its opposite, with every hash computed anew',
      'rebuilt',
      'applicant',
      (content) => put(eventOf(content, 'decision.made').plain, 'decision', 'decline')
    ),
    of(
      'complete',
      'a note left out, with every later event linked and counted anew',
      'rebuilt',
      'applicant',
      (content) => {
        drop(content, ({ kind }) => kind === 'note.made')
        countAnew(content, person)
      }
    ),
    of('record', 'a response invented', 'rebuilt', 'applicant', (content) => {
      const body = partOf('invented', { body: '{"message":"Refused"}' })
      put(eventOf(content, 'record.ended').plain, 'reply', {
        status: 200,
        bytes: 2,
        truncated: false,
        values: valuesOf(body)
      })
      content.bodies[0] = { ...body, record: 1, version: 1 }
    }),
    of('erased', 'everything of a person called erased', 'rebuilt', 'record', (content) => {
      eraseAll(content, person)
      // In the place of an event that is not shown.
      const plain = partOf('erasure', { cause: 'request', subjects: [person] })
      const own = { kind: 'subject.erased', seq: last(content).seq - 1, subject: null, record: null }
      content.events.splice(-1, 0, { ...last(content), ...own, links: {}, plain, sealed: null })
    }),
    of('record', 'another operator', 'rebuilt', 'applicant', (content) =>
      put(last(content).plain, 'operator', 'second.person')
    ),
    of('record', 'another version of the console', 'signed', 'record', (content) => void (content.console = '9.9.9')),
    of(
      'record',
      'another attachment',
      'signed',
      'attachment',
      (content) => void (content.attachments[0]!.sha256 = zeros)
    ),
    of('listed', 'a connection left out', 'signed', 'record', (content) =>
      drop(content, ({ kind }) => kind === 'connection.noted')
    ),
    of(
      'listed',
      'the kind of an event that belongs to no series',
      'rebuilt',
      'record',
      (content) => void (eventOf(content, 'connection.noted').kind = 'connection.changed')
    ),
    of('withheld', 'more withheld than the profile asks for', 'signed', 'applicant-no-personal-data', (content) =>
      withhold(eventOf(content, 'decision.made').plain, 'decision')
    ),
    file('token', 'a time-stamp removed', (pack) => ({ ...pack, timestamps: [] }), 'stamped'),
    file('token', 'something that is no time-stamp added', (pack) => ({ ...pack, timestamps: ['AAAA'] }), 'record'),
    {
      claim: 'key',
      name: 'a key with a part of small order, by the equation without the cofactor',
      text: fileText(mixedOrderPack(true))
    }
  ]
}
