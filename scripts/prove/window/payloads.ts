/** Generated payloads on every channel, from the window, from another window and from frames. */
import fc from 'fast-check'
import type { ElectronApplication, Page } from '@playwright/test'
import { channelNames } from '#contract/ipc/channel-names.ts'
import { channels, type ChannelName } from '#contract/ipc/ipc.ts'
import { startHost, type HostName, type Session } from '../../../tests/app/fixtures/hosts.ts'
import { repository } from '../../../tests/app/fixtures/runtime.ts'
import { inPlace } from '../../bench/window/place.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { hostsHere } from './electron-here.ts'

type Bridged = {
  readonly veridesk: Readonly<
    Record<
      string,
      (input?: unknown) => Promise<{ readonly ok?: boolean; readonly failure?: { readonly code?: string } }>
    >
  >
}

const anything = fc.anything({
  maxDepth: 3,
  withNullPrototype: false,
  withBigInt: false,
  withDate: false,
  withMap: false,
  withSet: false
})
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown

/** The fields that a channel's request has, if it is an object. */
function fieldsOf(name: ChannelName): string[] {
  const { shape } = channels[name].input as unknown as { readonly shape?: Readonly<Record<string, unknown>> }
  return shape ? Object.keys(shape) : []
}

/** A payload as it arrives: what copies it from the page to core leaves out fields named “__proto__”. */
function arriving(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload.map(arriving)
  if (typeof payload !== 'object' || payload === null) return payload
  return Object.fromEntries(
    Object.entries(payload)
      .filter(([name]) => name !== '__proto__')
      .map(([name, value]) => [name, arriving(value)])
  )
}

/** Payloads that the schema refuses: any values, objects with the channel's own fields, names of prototypes. */
function refusedPayloads(name: ChannelName, count: number, seed: number): unknown[] {
  const fields = fieldsOf(name)
  const key = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'id', ...fields),
    fc.string({ maxLength: 12 })
  )
  const entries = fc.array(
    fc.tuple(
      key,
      fc.oneof(anything, fc.constantFrom('', 'x'.repeat(10_000), -1, 1e308, '../../etc/passwd', '\u0000', null))
    ),
    { maxLength: 6 }
  )
  // Through text, so that “__proto__” is a field of its own, as an attacker would write it.
  const objects = entries.map(
    (pairs) =>
      JSON.parse(
        `{${pairs.map(([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`
      ) as unknown
  )
  const one = fc.oneof(objects, fc.jsonValue({ maxDepth: 4 }), anything.map(plain))
  const found: unknown[] = []
  for (let round = 0; found.length < count && round < 20; round += 1)
    for (const payload of fc.sample(one, { numRuns: count - found.length + 10, seed: seed + round }))
      // What the schema accepts would be carried out.
      if (
        payload !== undefined &&
        found.length < count &&
        [payload, arriving(payload)].every((each) => !channels[name].input.safeParse(each).success)
      )
        found.push(payload)
  return found
}

/** Sends payloads to a channel; returns how often each answer came. */
const answersTo = (page: Page, name: string, payloads: readonly unknown[]): Promise<Record<string, number>> =>
  page.evaluate(
    async ({ name, texts }) => {
      const counts: Record<string, number> = {}
      const method = (window as unknown as Bridged).veridesk[name]
      const answers = await Promise.all(
        texts.map(async (text) =>
          method?.(JSON.parse(text)).catch(() => ({ ok: undefined, failure: { code: 'no answer' } }))
        )
      )
      for (const answer of answers) {
        const code = answer?.ok ? 'accepted' : (answer?.failure?.code ?? 'no answer')
        counts[code] = (counts[code] ?? 0) + 1
      }
      return counts
    },
    // As text, since the transport to the page would lose “__proto__”.
    { name, texts: payloads.map((payload) => JSON.stringify(payload)) }
  )

/** Values that are not data: each must be refused, in the page or by the router. A large text goes to the channels in `large`. */
const poisoned = (
  page: Page,
  names: readonly string[],
  large: readonly string[]
): Promise<{ readonly sent: number; readonly accepted: string[]; readonly polluted: boolean }> =>
  page.evaluate(
    async ([all, large]) => {
      const cycle: Record<string, unknown> = {}
      cycle['self'] = cycle
      const poisons: Record<string, unknown> = {
        cycle,
        'bigint': 10n,
        'text of 50 MB': 'x'.repeat(50 * 1024 * 1024),
        'prototype': JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as unknown,
        'getter': {
          nonsense: 1,
          get id() {
            throw new Error('no')
          }
        },
        'proxy': new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('no')
            }
          }
        ),
        'depth of 5,000': JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown,
        'window': window
      }
      const accepted: string[] = []
      let sent = 0
      for (const name of all)
        for (const [kind, poison] of Object.entries(poisons)) {
          if (kind === 'text of 50 MB' && !large.includes(name)) continue
          sent += 1
          try {
            const answer = await (window as unknown as Bridged).veridesk[name]?.(poison)
            if (answer?.ok || answer?.failure?.code !== 'request-refused')
              accepted.push(`${name} with a ${kind}: ${answer?.failure?.code ?? 'accepted'}`)
          } catch {
            // Refused before it left the page.
          }
        }
      return { sent, accepted, polluted: 'polluted' in {} }
    },
    [names, large] as const
  )

const answersStill = (page: Page): Promise<boolean> =>
  page
    .evaluate(async () => (await (window as unknown as Bridged).veridesk['app.state']?.())?.ok === true)
    .catch(() => false)

/**
 * Opens pages that have the console's own preload, and calls every channel from each: another window with the console's
 * page, a page of another origin, and a frame within it. Returns the answers by place.
 */
const fromOtherFrames = (
  electron: ElectronApplication,
  names: readonly string[],
  times: number
): Promise<Record<string, Record<string, number>>> =>
  electron.evaluate(
    async ({ BrowserWindow }, { names, times, preload }) => {
      const home = BrowserWindow.getAllWindows()[0]?.webContents.session
      const call = `(async () => {
        const bridge = window.veridesk
        if (!bridge) return { 'no bridge': 1 }
        const counts = {}
        for (let round = 0; round < ${times}; round += 1)
          for (const name of ${JSON.stringify(names)}) {
            const answer = await bridge[name](round % 2 ? { id: 'x' } : undefined).catch(() => ({ failure: { code: 'no answer' } }))
            const code = answer.ok ? 'accepted' : answer.failure.code
            counts[code] = (counts[code] ?? 0) + 1
          }
        return counts
      })()`
      const open = (subFrames: boolean) =>
        new BrowserWindow({
          show: false,
          webPreferences: {
            session: home,
            preload,
            sandbox: true,
            contextIsolation: true,
            nodeIntegration: false,
            nodeIntegrationInSubFrames: subFrames
          }
        })
      const found: Record<string, Record<string, number>> = {}
      const second = open(false)
      await second.loadURL('app://console/')
      found['another window with the console’s page'] = (await second.webContents.executeJavaScript(call)) as Record<
        string,
        number
      >
      second.destroy()
      const foreign = open(true)
      await foreign.loadURL('about:blank')
      found['a page of another origin'] = (await foreign.webContents.executeJavaScript(call)) as Record<string, number>
      await foreign.webContents.executeJavaScript(
        `new Promise((done) => { const frame = document.createElement('iframe'); frame.srcdoc = '<p>frame</p>'; frame.onload = done; document.body.append(frame) }).then(() => 1)`
      )
      const frame = foreign.webContents.mainFrame.frames[0]
      found['a frame of that page'] = frame
        ? ((await frame.executeJavaScript(call)) as Record<string, number>)
        : { 'no frame': 1 }
      foreign.destroy()
      return found
    },
    { names: [...names], times, preload: `${repository}/out/preload/index.cjs` }
  )

/** A frame that the console's own page makes. Same-origin ones share their page's world, so they have no bridge of their own. */
const ownFrame = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const has = frame.contentWindow !== null && 'veridesk' in frame.contentWindow
    frame.remove()
    return has ? ['a frame within the window has a bridge of its own'] : []
  })

interface Lot {
  readonly rows: (string | number)[][]
  readonly faults: string[]
}

const words: Readonly<Record<HostName, string>> = { preview: 'preview', electron: 'Electron' }
const batchSize = 1000

async function inHost(
  host: HostName,
  session: Session,
  each: number,
  large: number,
  report: (text: string) => void
): Promise<Lot> {
  const { page } = session
  const faults: string[] = []
  let [sent, refused, fewest] = [0, 0, Infinity]
  for (const [at, name] of channelNames.entries()) {
    let here = 0
    for (let from = 0; from < each; from += batchSize) {
      const payloads = refusedPayloads(name, Math.min(batchSize, each - from), at * 1_000_003 + from)
      const counts = await answersTo(page, name, payloads)
      here += payloads.length
      refused += counts['request-refused'] ?? 0
      for (const [code, count] of Object.entries(counts))
        if (code !== 'request-refused')
          faults.push(`${words[host]}, ${name}: ${count} invalid payloads ended as ${code}`)
    }
    sent += here
    fewest = Math.min(fewest, here)
    if (at % 10 === 9) report(`${words[host]}: ${at + 1} of ${channelNames.length} channels`)
  }
  if (fewest < each) faults.push(`${words[host]}: a channel got only ${fewest} payloads`)
  const poison = await poisoned(page, channelNames, channelNames.slice(0, large))
  faults.push(
    ...poison.accepted.map((each) => `${words[host]}, ${each}`),
    ...(poison.polluted ? [`${words[host]}: the prototype of objects was changed`] : []),
    ...(await ownFrame(page))
  )
  const rows: (string | number)[][] = [
    [`${words[host]}: generated`, channelNames.length, sent, refused],
    [`${words[host]}: values that are not data`, channelNames.length, poison.sent, poison.sent - poison.accepted.length]
  ]
  if (session.electron)
    for (const [place, counts] of Object.entries(
      await fromOtherFrames(session.electron, channelNames, Math.max(2, Math.round(each / 100)))
    )) {
      const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
      rows.push([`${words[host]}: ${place}`, channelNames.length, all, counts['request-refused'] ?? 0])
      for (const [code, count] of Object.entries(counts))
        if (code !== 'request-refused') faults.push(`${place}: ${count} requests ended as ${code}`)
    }
  if (!(await answersStill(page))) faults.push(`${words[host]}: the console no longer answers`)
  if (/uncaught|unhandled/.test(session.output())) faults.push(`${words[host]}: the host reported an uncaught error`)
  return { rows, faults }
}

/** Sends payloads to every channel in both hosts. Errors: anything but a refusal, and a host that no longer answers. */
export async function provePayloads({ sized, progress }: SectionRun): Promise<Measured> {
  const { hosts, notRun, versions } = hostsHere('the channels of Electron, and requests from other frames')
  const each = sized(10_000, 20)
  const rows: (string | number)[][] = []
  const faults: string[] = []
  for (const host of hosts)
    await inPlace({}, async ({ place }) => {
      const session = await startHost(host, place)
      try {
        // The preview has the same router behind another transport: fewer payloads show that it is the same.
        const whole = host === 'electron' || hosts.length === 1
        const lot = await inHost(
          host,
          session,
          whole ? each : Math.ceil(each / 20),
          whole ? sized(channelNames.length, 2) : 2,
          progress
        )
        rows.push(...lot.rows)
        faults.push(...lot.faults)
      } finally {
        await session.close()
      }
    })
  return { table: { columns: ['requests', 'channels', 'sent', 'refused'], rows }, notRun, faults, versions }
}
