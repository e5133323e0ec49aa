/**
 * Packs of format 1 by a forger who knows the format and signs the changed content: each is well formed, and each states something
 * that was not recorded. Each has the sentence with which both verifiers must refuse it.
 */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { inclusionPath, leafHash, overLeaves, rootOf } from '#kit/hashing/merkle.ts'
import {
  countersignedText,
  eventHash,
  fieldCommitment,
  keyOfSigner,
  packDigest,
  packText,
  signedText,
  signPack,
  signWith,
  type Honest,
  type Pack,
  type PackContent,
  type PackEvent,
  type PackField
} from './evidence-1-packs.ts'
import { mixedOrderSignature } from './support/mixed-order.ts'

export interface Forgery {
  readonly name: string
  readonly text: string
  /** The text of the refusal, without the full stop. */
  readonly why: RegExp
}

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T
type Draft = Mutable<PackContent>
type DraftEvent = Mutable<PackEvent>

const forger = generateKeyPairSync('ed25519').privateKey
const zeros = '0'.repeat(64)
const zeroSalt = '0'.repeat(32)
const sha256 = (...parts: readonly Uint8Array[]): string =>
  createHash('sha256').update(Buffer.concat(parts)).digest('hex')
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

/** The pack with other content, signed by the forger. */
export function resigned({ content }: Pack, change: (content: Draft) => void): Pack {
  const draft = structuredClone(content) as Draft
  change(draft)
  return signPack(draft as PackContent, forger)
}

/** Like `resigned`, with the forger's own audit trail that contains only these events. */
export function rechained(pack: Pack, change: (content: Draft) => void): Pack {
  return resigned(pack, (content) => {
    change(content)
    let previous = zeros
    for (const [index, event] of content.events.entries()) {
      event.seq = index + 1
      event.previous = previous
      previous = eventHash({ ...event, plain: event.plain ?? '{}' })
      event.hash = previous
    }
    const size = content.events.length
    const tree = overLeaves(content.events.map(({ hash }) => leafHash(bytes(hash))))
    for (const [index, event] of content.events.entries())
      event.path = inclusionPath(tree, index, size).map((each) => each.toString('hex'))
    content.chain = { seq: size, hash: previous }
    content.tree = { size, root: rootOf(tree, size).toString('hex') }
  })
}

/** An event of a kind; throws if the genuine pack has none, since nothing would be forged. */
function eventOf(content: Draft, kind: string, turn = 0): DraftEvent {
  const found = content.events.filter((event) => event.kind === kind)[turn]
  if (!found) throw new Error(`no event ${kind}`)
  return found
}
const bodyOf = (content: Draft, turn = 0): Draft['bodies'][number] => {
  const found = content.bodies[turn]
  if (!found) throw new Error('no body')
  return found
}
function reseal(
  entry: { commitment: string | null; payload: { salt: string; text: string } | null },
  text: string
): void {
  entry.payload = { salt: zeroSalt, text }
  entry.commitment = sha256(bytes(zeroSalt), Buffer.from(text))
}
const field = (name: string, value: string): Mutable<PackField> => ({
  name,
  value,
  salt: zeroSalt,
  commitment: fieldCommitment(zeroSalt, name, value)
})
const exchange = <K extends string>(a: Record<K, unknown>, b: Record<K, unknown>, ...keys: readonly K[]): void => {
  for (const key of keys) [a[key], b[key]] = [b[key], a[key]]
}

type Change = (content: Draft) => void
type Row = readonly [name: string, base: keyof Honest, change: Change, why: RegExp]

/** The maximum nesting depth of a text. */
export const deepest = 64
/** An object with this nesting depth. */
export const nested = (levels: number): string => `{"text":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

/** Changed content with an unchanged audit trail. */
const changed: readonly Row[] = [
  [
    'the answers of two checks exchanged with all that proves them',
    'full',
    (content) => {
      exchange(
        eventOf(content, 'record.ended', 0),
        eventOf(content, 'record.ended', 1),
        'at',
        'plain',
        'commitment',
        'previous',
        'hash',
        'path',
        'payload'
      )
    },
    /^Event \d+ is not what was recorded/
  ],
  [
    'an event dropped, the others renumbered',
    'full',
    (content) => {
      content.events.splice(1, 1)
      for (const event of content.events.slice(1)) event.seq -= 1
    },
    /^Event \d+ is not what was recorded/
  ],
  [
    'a check dropped',
    'full',
    (content) => {
      const { record } = eventOf(content, 'record.begun', 1)
      content.events = content.events.filter((event) => event.record !== record)
      content.bodies = content.bodies.filter((body) => body.record !== record)
    },
    /^It claims to be about 2 records, but shows 1/
  ],
  [
    'the beginning of a check dropped',
    'full',
    (content) => {
      content.events.splice(content.events.indexOf(eventOf(content, 'record.begun', 1)), 1)
      content.records = 1
    },
    /^Event \d+ belongs to no record that is shown/
  ],
  [
    'the end of a check dropped, its reply kept',
    'full',
    (content) => void content.events.splice(content.events.indexOf(eventOf(content, 'record.ended')), 1),
    /^The response of record \d+ belongs to no event/
  ],
  ['events in another order', 'full', (content) => void content.events.reverse(), /^Event \d+ is out of order/],
  [
    'an event twice',
    'full',
    (content) => void content.events.splice(1, 0, structuredClone(content.events[0]!)),
    /^Event \d+ is out of order/
  ],
  [
    'a path that leads elsewhere',
    'full',
    (content) => void content.events[0]!.path.reverse(),
    /^Event \d+ is not in the tree/
  ],
  [
    'a path that goes on',
    'full',
    (content) => void content.events[0]!.path.push(zeros),
    /^Event \d+ is not in the tree/
  ],
  [
    'an event whose number is beyond the tree',
    'redacted',
    (content) => {
      const event = content.events.at(-1)!
      event.seq = content.tree.size + 1
      event.plain = null
      event.fields = []
    },
    /^Event \d+ is not in the tree/
  ],
  [
    'a tree of another size',
    'full',
    (content) => void (content.chain.seq += 1),
    /^The tree and the chain differ in size/
  ],
  [
    'another head of the chain',
    'foreign',
    (content) => void (content.chain.hash = zeros),
    /^The last event is not the chain’s head/
  ],
  [
    'a first event that follows another',
    'first',
    (content) => void (content.events[0]!.previous = 'f'.repeat(64)),
    /^The first event follows another/
  ],
  [
    'an event that does not follow the one before it',
    'redacted',
    (content) => {
      const next = content.events.findIndex(({ seq }, index) => content.events[index - 1]?.seq === seq - 1)
      Object.assign(content.events[next]!, { previous: zeros, plain: null, fields: [] })
    },
    /^Event \d+ does not follow the one before it/
  ],
  [
    'a time before the chain’s beginning',
    'full',
    (content) => void (eventOf(content, 'decision.made').at = 0),
    /^Event \d+ is not what was recorded/
  ],
  [
    'a decision turned into its opposite',
    'full',
    (content) => {
      const decision = eventOf(content, 'decision.made')
      decision.plain = decision.plain!.replace('"approve"', '"decline"')
    },
    /^Event \d+ is not what was recorded/
  ],
  [
    'a decision given to another person',
    'full',
    (content) => void (eventOf(content, 'decision.made').subject! += 1),
    /^Event \d+ is not what was recorded/
  ],
  [
    'a check given to another person, where its words are withheld',
    'redacted',
    (content) => void (eventOf(content, 'record.begun').subject! += 1),
    /^Event \d+ belongs to no record that is shown/
  ],
  [
    'a note given to another person, where its words are withheld',
    'redacted',
    (content) => void (eventOf(content, 'note.made').subject! += 1),
    /^Its events are about more than one applicant/
  ],
  [
    'a note exchanged',
    'full',
    (content) => void (eventOf(content, 'note.made').payload!.text = '{"text":"all is well"}'),
    /^The payload of event \d+ is not what was recorded/
  ],
  [
    'a reply exchanged',
    'full',
    (content) => void (bodyOf(content).payload!.text = '{"body":"{}"}'),
    /^The payload of the response of record \d+ is not what was recorded/
  ],
  [
    'a reply exchanged, with a commitment that fits',
    'full',
    (content) => reseal(bodyOf(content), '{"body":"{}"}'),
    /^The response of record \d+ is not the one that was recorded/
  ],
  [
    'the replies of two checks exchanged',
    'full',
    (content) => exchange(bodyOf(content, 0), bodyOf(content, 1), 'commitment', 'payload'),
    /^The response of record \d+ is not the one that was recorded/
  ],
  ['a reply taken out', 'full', (content) => void content.bodies.shift(), /^The response of record \d+ is missing/],
  [
    'a reply taken out of a batch',
    'batch',
    (content) => void content.bodies.pop(),
    /^The response of record \d+ is missing/
  ],
  [
    'every reply taken out of a redacted pack',
    'redacted',
    (content) => void (content.bodies = []),
    /^The response of record \d+ is missing/
  ],
  [
    'a reply taken out, where its end is given singly',
    'redacted',
    (content) => {
      const ended = eventOf(content, 'record.ended')
      const reply = JSON.stringify((JSON.parse(ended.plain!) as { reply: object }).reply)
      Object.assign(ended, { plain: null, commitment: null, fields: [field('plain.reply', reply)] })
      content.bodies = content.bodies.filter(({ record }) => record !== ended.record)
    },
    /^The response of record \d+ is missing/
  ],
  [
    'a reply called erased',
    'full',
    (content) => void (bodyOf(content).payload = null),
    /^The response of record \d+ is missing, but other data of the same person is present/
  ],
  [
    'the values of a reply left out',
    'redacted',
    (content) => void (bodyOf(content).fields = []),
    /^The response of record \d+ is missing, but other data of the same person is present/
  ],
  [
    'the reply to a person who was erased, taken out',
    'halfErased',
    (content) => void (content.bodies = content.bodies.filter(({ payload }) => payload !== null)),
    /^The response of record \d+ is missing/
  ],
  [
    'a note called erased',
    'full',
    (content) => void (eventOf(content, 'note.made').payload = null),
    /^Sealed data of event \d+ is missing, but other data of the same person is present/
  ],
  [
    'a reply with a commitment of zeros',
    'redacted',
    (content) => Object.assign(bodyOf(content), { commitment: zeros }),
    /^The commitment of the response of record \d+ is all zeros, which has the same hash as no commitment/
  ],
  [
    'a second reply to one check',
    'full',
    (content) => void content.bodies.push(structuredClone(bodyOf(content))),
    /^It contains two responses for one record/
  ],
  [
    'a withheld value filled in by a guess',
    'redacted',
    (content) => {
      const withheld = eventOf(content, 'note.made').fields.find(({ salt }) => salt === null)!
      Object.assign(withheld, { salt: zeroSalt, value: 'a guess' })
    },
    /^(The value of .+|A value of event \d+) does not match its commitment/
  ],
  [
    'a withheld value filled in without its salt',
    'redacted',
    (content) => void (eventOf(content, 'note.made').fields.find(({ salt }) => salt === null)!.value = 'a guess'),
    /^A value (of event \d+ )?and its salt are not both present/
  ],
  [
    'a shown value exchanged',
    'redacted',
    (content) =>
      void (eventOf(content, 'decision.made').fields.find(({ name }) => name === 'plain.decision')!.value = 'decline'),
    /^(The value of plain\.decision|A value of event \d+) does not match its commitment/
  ],
  [
    'a value twice',
    'redacted',
    (content) => void eventOf(content, 'decision.made').fields.push(field('plain.decision', 'decline')),
    /^A value (of event \d+ )?occurs twice/
  ],
  [
    'a second, other value beside the words of an event',
    'redacted',
    (content) => void eventOf(content, 'record.ended').fields.push(field('plain.outcome', 'unknown')),
    /^It contains values of event \d+ twice/
  ],
  [
    'sealed values of an event that has none',
    'redacted',
    (content) => {
      // Its hash reveals nothing else about it.
      Object.assign(eventOf(content, 'record.ended'), { commitment: null, fields: [field('message', 'Accepted')] })
    },
    /^It contains sealed values of event \d+, which has none/
  ],
  [
    'a value that no reply has',
    'redacted',
    (content) => void bodyOf(content).fields.push(field('plain.status', '200')),
    /^It contains values of the response of record \d+ that no response has/
  ],
  [
    'a whole sealed part in a redacted pack',
    'redacted',
    (content) => reseal(eventOf(content, 'note.made'), '{"text":"all is well"}'),
    /^It is a redacted pack, but shows the sealed part of event \d+/
  ],
  [
    'a redacted pack that calls itself full',
    'redacted',
    (content) => Object.assign(content, { profile: 'full', about: { kind: 'applicant', id: 'A' } }),
    /^It is a full pack, but contains values of event \d+ twice/
  ],
  [
    'a full pack that withholds an event',
    'full',
    (content) => Object.assign(eventOf(content, 'decision.made'), { plain: null }),
    /^It is a full pack, but withholds the content of event \d+/
  ],
  [
    'a full pack that withholds whom it is about',
    'full',
    (content) => void ((content.about as { id: string | null }).id = null),
    /^It withholds what it is about/
  ],
  [
    'an applicant called by another name',
    'full',
    (content) => void (content.about.id = 'APP-OTHER'),
    /^It claims to be about applicant APP-OTHER, but shows another/
  ],
  [
    'an applicant called by a name that looks the same',
    'full',
    (content) => void (content.about.id = content.about.id!.replace('A', '\u0410')),
    /^It claims to be about applicant .+, but shows another/
  ],
  [
    'an applicant called by the same name, composed otherwise',
    'full',
    (content) => void (content.about.id = content.about.id!.normalize('NFD')),
    /^It claims to be about applicant .+, but shows another/
  ],
  [
    'an applicant whom nothing names',
    'full',
    (content) => {
      content.events = content.events.filter(({ kind }) => !kind.startsWith('record.'))
      Object.assign(content, { bodies: [], records: 0 })
    },
    /^It claims to be about applicant .+, but none of its events names that applicant/
  ],
  [
    'a record called by another number',
    'record',
    (content) => void (content.about.id = '01a200a5-0000-7000-8000-000000000000'),
    /^It claims to be about record 01a200a5\S+, but shows another/
  ],
  [
    'a batch called by another number',
    'batch',
    (content) => void (content.about.id = '01a200a5-0000-7000-8000-000000000000'),
    /^It claims to be about batch 01a200a5\S+, but shows another/
  ],
  [
    'a batch without its making',
    'batch',
    (content) => void (content.events = content.events.filter(({ kind }) => !kind.startsWith('batch.'))),
    /^It claims to be about batch \S+, but shows another/
  ],
  [
    'a time that is none',
    'full',
    (content) => void (content.made.at = 9e15),
    /^This is not an evidence pack of version 1.*content\.made\.at/
  ],
  [
    'a part that a pack does not have',
    'full',
    (content) => Object.assign(content, { attachment: 'passport.pdf' }),
    /^This is not an evidence pack of version 1/
  ],
  [
    'a part that is missing',
    'full',
    (content) => void delete (content as Partial<Draft>).records,
    /^This is not an evidence pack of version 1/
  ],
  [
    'no event at all',
    'full',
    (content) => Object.assign(content, { events: [], bodies: [], records: 0 }),
    /^This is not an evidence pack of version 1/
  ]
]

/** The forger's own audit trail: every hash matches, and the pack still contradicts itself. */
const ownTrail: readonly Row[] = [
  [
    'an audit trail with words that are nested one level too deep',
    'full',
    (content) => reseal(eventOf(content, 'note.made'), nested(deepest + 1)),
    /^The content of event \d+ is nested more than 64 levels deep/
  ],
  [
    'an audit trail with words that are nested so deep that some programs cannot read them',
    'full',
    (content) => void (eventOf(content, 'note.made').plain = nested(4000)),
    /^The content of event \d+ is nested more than 64 levels deep/
  ],
  [
    'an audit trail with a commitment of zeros, which hashes like none',
    'full',
    (content) => {
      const event =
        content.events.find(({ commitment, subject }) => commitment === null && subject !== null) ??
        eventOf(content, 'connection.noted')
      event.commitment = zeros
    },
    /^The commitment of event \d+ is all zeros, which has the same hash as no commitment/
  ],
  [
    'an audit trail that names the applicant by a list with the name in it',
    'full',
    (content) => {
      for (const event of content.events.filter(({ kind }) => kind === 'record.begun'))
        reseal(
          event,
          JSON.stringify({ ...(JSON.parse(event.payload!.text) as object), applicantId: [content.about.id] })
        )
    },
    /^It claims to be about applicant .+, but shows another/
  ],
  [
    'an audit trail that begins a check twice',
    'full',
    (content) => void content.events.push(structuredClone(eventOf(content, 'record.begun'))),
    /^Event \d+ begins a record a second time/
  ],
  [
    'an audit trail that ends a check twice',
    'full',
    (content) => void content.events.push(structuredClone(eventOf(content, 'record.ended'))),
    /^Event \d+ ends a record a second time/
  ],
  [
    'an audit trail in which a decision is another person’s',
    'full',
    (content) => void (eventOf(content, 'decision.made').subject! += 1),
    /^Its events are about more than one applicant/
  ],
  [
    'an audit trail in which the words of an end are no object',
    'full',
    (content) => void (eventOf(content, 'record.ended').plain = 'null'),
    /^The content of event \d+ is not in canonical form/
  ],
  [
    'an audit trail in which the words of an event are no JSON',
    'full',
    (content) => void (eventOf(content, 'note.made').plain = '{"operator":'),
    /^The content of event \d+ is not in canonical form/
  ],
  [
    'an audit trail in which a decision is said twice',
    'full',
    (content) => {
      const decision = eventOf(content, 'decision.made')
      decision.plain = decision.plain!.replace('{', '{"decision":"decline",')
    },
    /^The content of event \d+ is not in canonical form/
  ],
  [
    'an audit trail in which a sealed name is said twice',
    'full',
    (content) => reseal(eventOf(content, 'note.made'), '{"text":"bad","text":"good"}'),
    /^The content of event \d+ is not in canonical form/
  ],
  [
    'an audit trail in which a number is written otherwise',
    'full',
    (content) => {
      const ended = eventOf(content, 'record.ended')
      ended.plain = ended.plain!.replace('"status":200', '"status":2e2')
    },
    /^The content of event \d+ is not in canonical form/
  ],
  [
    'an audit trail whose checks are of another batch',
    'batch',
    (content) => {
      const begun = eventOf(content, 'record.begun')
      begun.plain = begun.plain!.replace(content.about.id!, '01a200a5-0000-7000-8000-000000000000')
    },
    /^It shows records of another batch/
  ],
  [
    'an audit trail with a link of another applicant',
    'full',
    (content) => {
      const link = { ...structuredClone(eventOf(content, 'note.made')), kind: 'link.made', record: 9999 }
      reseal(link, '{"applicantId":"APP-SOMEBODY"}')
      content.events.push(link)
    },
    /^It claims to be about applicant .+, but shows another/
  ],
  [
    'an audit trail in which a record’s pack tells of another record',
    'record',
    (content) => {
      content.events.push({
        ...structuredClone(eventOf(content, 'record.ended')),
        kind: 'link.made',
        record: 9999,
        commitment: null,
        payload: null
      })
    },
    /^It shows events of another record/
  ]
]

/** Parts of two genuine packs in one. */
function mixed({ full, other, foreign }: Honest): Forgery[] {
  const insert = (pack: Pack, from: Pack, kind: string, more: Change = () => undefined): string =>
    packText(
      resigned(pack, (content) => {
        const event = structuredClone(eventOf(from.content as Draft, kind))
        content.events = [...content.events.filter(({ seq }) => seq !== event.seq), event].sort((a, b) => a.seq - b.seq)
        more(content)
      })
    )
  return [
    {
      name: 'an event of another audit trail with its own path',
      text: insert(full, foreign, 'record.begun'),
      why: /^Event \d+ (is not in the tree|does not follow the one before it)/
    },
    {
      name: 'another applicant’s decision, proved in the same audit trail',
      text: insert(full, other, 'decision.made'),
      why: /^Its events are about more than one applicant/
    },
    {
      name: 'another applicant’s check, proved in the same audit trail',
      text: insert(full, other, 'record.begun', (content) => void (content.records += 1)),
      why: /^Its events are about more than one applicant/
    },
    {
      name: 'the paths of one audit trail under the root of another',
      why: /^Event \d+ is not in the tree/,
      text: packText(resigned(full, (content) => void (content.tree.root = foreign.content.tree.root)))
    },
    {
      name: 'one pack’s content under another’s signature',
      text: packText({ ...full, signature: other.signature }),
      why: /^The signature does not match the content/
    }
  ]
}

/** Countersignatures of something else. */
function countersignatures({ full, other, countersigned }: Honest): Forgery[] {
  const [own] = countersigned.countersignatures
  if (!own) throw new Error('no countersignature')
  const fault = /^The countersignature of .+ does not match/
  const anew = resigned(full, () => undefined)
  const words = { agrees: true, at: 1, by: 'The other person', key: keyOfSigner(forger), note: '' }
  const byItself = { ...words, signature: signWith(forger, countersignedText(packDigest(anew), words)) }
  const smallOrder = { ...words, key: `01${'0'.repeat(62)}`, signature: `01${'0'.repeat(126)}` }
  const withEach = (pack: Pack, ...list: Pack['countersignatures']): string =>
    packText({ ...pack, countersignatures: list })
  return [
    { name: 'a countersignature of another pack', text: withEach(other, own), why: fault },
    {
      name: 'a countersignature that agrees where it did not',
      text: withEach(countersigned, { ...own, agrees: !own.agrees }),
      why: fault
    },
    {
      name: 'a countersignature with another note',
      text: withEach(countersigned, { ...own, note: `${own.note}!` }),
      why: fault
    },
    {
      name: 'a countersignature with another name',
      text: withEach(countersigned, { ...own, by: 'The director' }),
      why: fault
    },
    {
      name: 'a countersignature of an earlier day',
      text: withEach(countersigned, { ...own, at: own.at - 86_400_000 }),
      why: fault
    },
    {
      name: 'a countersigned case that was signed anew',
      text: withEach(
        resigned(countersigned, () => undefined),
        own
      ),
      why: fault
    },
    {
      name: 'one countersignature twice',
      text: withEach(countersigned, own, own),
      why: /^It contains the same countersignature twice/
    },
    {
      name: 'a countersignature by the signer',
      text: withEach(anew, byItself),
      why: /^It was countersigned with the key that signed it/
    },
    {
      name: 'a signature that is valid only with the cofactor',
      why: /^The signature does not match the content/,
      text: packText({
        ...full,
        signature: { algorithm: 'Ed25519', ...mixedOrderSignature(signedText(full.content), false) }
      })
    },
    {
      name: 'a countersignature that fits everything',
      text: withEach(countersigned, smallOrder),
      why: /^One of its keys has small order/
    },
    {
      name: 'a signature that fits everything',
      why: /^One of its keys has small order/,
      text: packText({ ...full, signature: { algorithm: 'Ed25519', key: smallOrder.key, value: smallOrder.signature } })
    }
  ]
}

/** Files that another program could read as a pack. */
function spellings({ full }: Honest): Forgery[] {
  const text = packText(full)
  const spelled = /^It is not in canonical form/
  const replaced = (from: string, to: string): string => {
    if (!text.includes(from)) throw new Error(`no ${from}`)
    return text.replace(from, to)
  }
  return [
    {
      name: 'a key twice, the last as it was signed',
      text: replaced('"version":1', '"version":2,"version":1'),
      why: spelled
    },
    { name: 'a number with an exponent', text: replaced('"version":1', '"version":1e0'), why: spelled },
    { name: 'a number with a fraction of zero', text: replaced('"version":1', '"version":1.0'), why: spelled },
    {
      name: 'a zero with a sign',
      text: text.replace(/"records":\d+/, '"records":-0'),
      why: /^(It holds a number that is not whole|It is not in canonical form)/
    },
    {
      name: 'a letter written as its number',
      text: replaced('"veridesk-evidence"', '"\\u0076eridesk-evidence"'),
      why: spelled
    },
    { name: 'no line feed at the end', text: text.trimEnd(), why: spelled },
    { name: 'a mark at the beginning', text: `\ufeff${text}`, why: /^It is not JSON/ },
    { name: 'two packs in one file', text: text + text, why: /^It is not JSON/ },
    { name: 'a deep nest', text: '['.repeat(100_000), why: /^It is not JSON/ },
    {
      name: 'a deep nest that ends',
      text: `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`,
      why: /^This is not an evidence pack of version 1/
    },
    {
      // Most programs write both with the same bytes in UTF-8, so they have the same commitment.
      name: 'half a sign in place of the mark for one',
      why: /^The content of event \d+ is not in canonical form/,
      text: packText(
        resigned(full, (content) => {
          const payload = eventOf(content, 'note.made').payload!
          if (!payload.text.includes('\ufffd')) throw new Error('no mark')
          payload.text = payload.text.replace('\ufffd', '\ud800')
        })
      )
    }
  ]
}

export function forgeries(honest: Honest): Forgery[] {
  const made = (rows: readonly Row[], sign: typeof resigned): Forgery[] =>
    rows.map(([name, base, change, why]) => ({ name, why, text: packText(sign(honest[base], change)) }))
  const all = [
    ...made(changed, resigned),
    ...made(ownTrail, rechained),
    ...mixed(honest),
    ...countersignatures(honest),
    ...spellings(honest)
  ]
  const same = all.find(({ text }) => Object.values(honest).some((pack) => packText(pack as Pack) === text))
  if (same) throw new Error(`nothing was forged: ${same.name}`)
  return all
}
