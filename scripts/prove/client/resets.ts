/** Connections broken at every byte of a request and of its response; each outcome is compared with the service's ledger. */
import { createLinePool } from '#core/client/line.ts'
import { sendVerification } from '#core/client/send.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { bodyDigest } from '#practice/ledger.ts'
import { practiceCredentials, startPracticeService, type PracticeService } from '#practice/service.ts'
import { openGround, makeApplicantBatch } from '../../batch-ground.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { orderTo, trustIn } from '../../../tests/service/support/client-services.ts'
import { faultsAgainst } from '../../../tests/service/support/batch-states.ts'
import { inProofFolder } from '../proof-folder.ts'
import { seeded } from '../random.ts'
import { startRelay, type Break, type Relay } from './relay.ts'

const operation = operationOf('get-applicant-details')
const portOf = ({ baseUrl }: PracticeService): number => Number(new URL(baseUrl).port)

/** How often the service received a body. */
const received = (practice: PracticeService, body: object): number => {
  const digest = bodyDigest(JSON.stringify(body))
  return practice.ledger().filter((entry) => entry.digest === digest).length
}

type Line = 'new' | 'kept'

interface Lot {
  readonly name: string
  bytes: number
  readonly outcomes: Record<string, number>
  wrong: number
}

/** Breaks connections at each byte of one direction. A kept line has carried one whole exchange before. */
async function everyByte(
  relay: Relay,
  practice: PracticeService,
  of: Break['of'],
  how: Break['how'],
  line: Line,
  step: number,
  faults: string[]
): Promise<Lot> {
  const trust = await trustIn()
  const but = { path: operation.path, credentials: practiceCredentials, trust }
  let nth = 0
  // All have the same length, so that one whole exchange shows how many bytes there are.
  const inputOf = (): { applicant_id: string } => ({
    applicant_id: `${of}-${how}-${line}-${String((nth += 1)).padStart(6, '0')}`
  })
  const pool = createLinePool(() => performance.now())
  await sendVerification(
    await orderTo(relay.origin, { ...but, body: inputOf(), ...(line === 'kept' && { lines: pool }) })
  )
  pool.close()
  const whole = relay.seen()[of]
  const lot: Lot = {
    name: `${of}, ${line} connection, ${how}`,
    bytes: 0,
    outcomes: { 'answered': 0, 'unreadable': 0, 'not-sent': 0, 'unknown': 0 },
    wrong: 0
  }
  for (let after = 0; after <= whole; after += step) {
    const lines = createLinePool(() => performance.now())
    const order = { ...but, ...(line === 'kept' && { lines }) }
    if (line === 'new') relay.breaks = () => ({ of, how, after })
    else {
      const first = await sendVerification(await orderTo(relay.origin, { ...order, body: inputOf() }))
      if (first.outcome !== 'answered')
        faults.push(`${lot.name}: the first exchange on the connection ended as ${first.outcome}`)
      relay.breakOpen({ of, how, after })
    }
    const body = inputOf()
    const ending = await sendVerification(await orderTo(relay.origin, { ...order, body }))
    lines.close()
    lot.bytes += 1
    lot.outcomes[ending.outcome] = (lot.outcomes[ending.outcome] ?? 0) + 1
    const times = received(practice, body)
    const wrong =
      times > 1
        ? `was received ${times} times`
        : ending.outcome === 'not-sent' && times > 0
          ? 'says “not sent”, and the service has received it'
          : ending.outcome === 'answered' && times === 0
            ? 'says “answered”, and the service has not received it'
            : ending.outcome === 'unreadable'
              ? 'says that the service answered something invalid'
              : undefined
    if (wrong !== undefined) {
      lot.wrong += 1
      faults.push(`${lot.name}, byte ${after} of ${whole}: the request ${wrong}`)
    }
  }
  relay.breaks = () => undefined
  return lot
}

/** A batch through a relay that breaks every connection at a random byte of either direction. */
const brokenBatch = (
  rows: number,
  practice: PracticeService
): Promise<{ readonly counts: Record<string, number>; readonly faults: string[]; readonly breaks: number }> =>
  inProofFolder(async (folder) => {
    const relay = await startRelay(portOf(practice))
    const random = seeded(rows)
    let breaks = 0
    relay.breaks = () => {
      breaks += 1
      // Anywhere in the first exchanges of a connection, about twenty.
      return {
        of: random(2) === 0 ? 'request' : 'response',
        how: random(2) === 0 ? 'reset' : 'close',
        after: random(10_000)
      }
    }
    const ground = await openGround({
      folder,
      baseUrl: relay.origin,
      settings: { spendGuardMinutes: 0 },
      announce: () => undefined
    })
    try {
      const id = await makeApplicantBatch(
        ground,
        Array.from({ length: rows }, (_, index) => `BROKEN-${index}`),
        { atOnce: 8 }
      )
      for (;;) {
        const started = await ground.batches.start(id)
        if (!started.ok) throw new Error(sentencesOf(started.failure).what)
        await ground.batches.ended(id)
        const shown = await ground.batches.show(id)
        if (!shown.ok) throw new Error(sentencesOf(shown.failure).what)
        // Ten failures in succession stop a batch; a user starts it again.
        if (shown.value.state === 'stopped') continue
        return { counts: shown.value.counts, faults: await faultsAgainst(practice.ledger(), ground, id), breaks }
      }
    } finally {
      await ground.close()
      relay.end()
    }
  })

/** Breaks connections. Errors: outcomes that contradict the ledger. */
export async function proveResets({ sized, progress }: SectionRun): Promise<Measured> {
  const faults: string[] = []
  const rows: (string | number)[][] = []
  const step = Math.round(1 / (sized(1000, 20) / 1000))
  const practice = await startPracticeService({ latency: 0 })
  const relay = await startRelay(portOf(practice))
  try {
    for (const direction of ['request', 'response'] as const)
      for (const line of ['new', 'kept'] as const)
        for (const how of ['reset', 'close'] as const) {
          const lot = await everyByte(relay, practice, direction, how, line, step, faults)
          rows.push([
            lot.name,
            lot.bytes,
            ...['answered', 'not-sent', 'unknown', 'unreadable'].map((name) => lot.outcomes[name] ?? 0),
            lot.wrong
          ])
          progress(lot.name)
        }
    const batch = await brokenBatch(sized(2000, 50), practice)
    const { counts } = batch
    rows.push([
      `a batch over ${batch.breaks} connections`,
      Object.values(counts).reduce((sum, count) => sum + count, 0),
      ...['answered', 'not-sent', 'unknown', 'unreadable'].map((name) => counts[name] ?? 0),
      batch.faults.length
    ])
    faults.push(...batch.faults.map((fault) => `batch: ${fault}`))
  } finally {
    relay.end()
    await practice.close()
  }
  return {
    table: {
      columns: ['broken', 'bytes or rows', 'answered', 'not sent', 'unknown', 'invalid', 'against the ledger'],
      rows
    },
    faults
  }
}
