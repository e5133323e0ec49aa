/** The user's settings: read once at start, written atomically at each change. */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { failed, failure, invalidField, type Failure, type FieldFaults } from '#contract/failures/failures.ts'
import type { ChannelName, RequestOf } from '#contract/ipc/ipc.ts'
import { faultsOfIssues } from '#contract/verification/field-issues.ts'
import { proxyAddressFault } from '#contract/connections/proxy-address.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { defaultSettings, settingsSchema, type Settings } from '#contract/settings/settings.ts'
import { openDataFile } from '#core/files/data-file.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import { areCertificates } from '#core/files/pem.ts'
import type { Clock } from '#kit/clock.ts'
import type { Policies } from '#core/policies/policies.ts'

/**
 * Requests that rules of the settings decide, or whose text they say. The default settings require less than an organisation may: no
 * second person, no checklist, a longer time until a review, other wordings of reasons, another retention.
 */
const ruled: readonly ChannelName[] = [
  'decisions.make',
  'decisions.prepare',
  'decisions.makeMany',
  'applicants.review',
  'applicants.rate',
  'applicants.import',
  'retention.plan',
  'retention.run',
  'exports.readLetter',
  'exports.letter'
]
const isRuled = (channel: ChannelName, input: unknown): boolean =>
  ruled.includes(channel) ||
  // Of what is changed of many, only a risk class has a rule: when a review is due.
  (channel === 'applicants.changeMany' && (input as RequestOf<'applicants.changeMany'>).risk !== undefined)

export interface SettingsFile {
  /** Those in force: a policy takes precedence over the file. */
  current(): Settings
  /** Why the file is unusable: `settings-damaged`, `settings-newer` or `settings-unreadable`. */
  fault(): Failure | undefined
  /**
   * Why nothing may be done that rules of the settings decide: `settings-block-sending`, as long as the file is unusable;
   * `policies-block-sending`. A rule that cannot be read does not count as none.
   */
  rulesRefusal(): Failure | undefined
  /** The same, for a request that such a rule decides. @param input As its schema returns it. */
  channelRefusal(channel: ChannelName, input: unknown): Failure | undefined
  /** Why nothing may be sent: the same, or what policies require first. */
  sendingRefusal(): Failure | undefined
  /** Replaces an unusable file with the defaults; the old file is kept under another name. Failures: see `DataFile`. */
  reset(): Promise<Result<{ readonly kept: string }, Failure>>
  /**
   * Changes some settings, durably, and returns those in force. Failures: `setting-managed` if a policy locks one of them,
   * `setting-invalid` (with `fields`), `ca-file-invalid`, `settings-newer`, `settings-unreadable`, `settings-locked`,
   * `disk-full`.
   */
  change(patch: Partial<Settings>): Promise<Result<Settings, Failure>>
}

export interface SettingsOptions {
  readonly folder: string
  readonly clock: Pick<Clock, 'now'>
  /** Checks that a file contains certificates; called for a new, non-empty `extraCaFile`. */
  readonly checkCaFile?: (path: string) => Promise<Result<unknown, Failure>>
  readonly policies?: Pick<Policies, 'settings' | 'settingRefusal' | 'sendingRefusal' | 'unreadable'>
}

/** Reads the settings, or the defaults if the file is unusable: then nothing may be sent or decided. Creates the folder. */
export async function openSettings({ folder, clock, checkCaFile, policies }: SettingsOptions): Promise<SettingsFile> {
  const file = await openDataFile<Settings>({
    path: join(folder, ownFiles.settings),
    kind: 'settings',
    format: 'veridesk-settings',
    version: 1,
    schema: settingsSchema,
    defaults: defaultSettings,
    now: clock.now()
  })
  let queue: Promise<unknown> = Promise.resolve()
  const inForce = (own: Settings): Settings => ({ ...own, ...policies?.settings() })

  const change = async (patch: Partial<Settings>): Promise<Result<Settings, Failure>> => {
    const fresh = file.refresh()
    if (!fresh.ok) return fresh
    const current = inForce(file.data())
    // What repeats the value in force is no change, and must not become the user's own value of a locked setting.
    const given = Object.fromEntries(
      Object.entries(patch).filter(
        ([name, value]) => value !== undefined && !isDeepStrictEqual(value, current[name as keyof Settings])
      )
    )
    const refusal = policies?.settingRefusal(Object.keys(given))
    if (refusal) return fail(refusal)
    const next = settingsSchema.safeParse({ ...file.data(), ...given })
    if (!next.success) return invalid(faultsOfIssues(next.error.issues))
    const { proxyMode, proxyUrl } = inForce(next.data)
    // A proxy that a policy sets without its address must not block the other settings; nothing is sent until there is one.
    const proxyFault =
      proxyMode === 'manual' && ('proxyMode' in given || 'proxyUrl' in given) ? proxyAddressFault(proxyUrl) : undefined
    if (proxyFault) return invalid({ proxyUrl: proxyFault })
    if (next.data.timestampAuthority && !areCertificates(next.data.timestampAuthority.certificates))
      return invalid({ timestampAuthority: invalidField('certificate-file') })
    const { extraCaFile } = next.data
    if (extraCaFile !== '' && 'extraCaFile' in given) {
      const checked = await checkCaFile?.(extraCaFile)
      if (checked && !checked.ok) return withField(checked.failure, 'extraCaFile')
    }
    const written = await file.write(next.data, changedFromDefaults(next.data))
    return written.ok ? ok(inForce(next.data)) : written
  }

  const rulesRefusal = (): Failure | undefined => {
    const fault = file.fault()
    return (
      policies?.unreadable() ??
      (fault && failure('settings-block-sending', { file: ownFiles.settings, cause: fault.failure }))
    )
  }
  return {
    current: () => inForce(file.data()),
    fault: () => file.fault()?.failure,
    rulesRefusal,
    channelRefusal: (channel, input) => (isRuled(channel, input) ? rulesRefusal() : undefined),
    sendingRefusal: () => policies?.sendingRefusal() ?? rulesRefusal(),
    reset: file.reset,
    change(patch) {
      // One at a time: concurrent changes would otherwise overwrite each other.
      const turn = queue.then(() => change(patch))
      queue = turn.catch(() => undefined)
      return turn
    }
  }
}

/** The file contains only differences from the defaults, so that a later version may choose better ones. */
function changedFromDefaults(settings: Settings): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => !isDeepStrictEqual(value, defaultSettings[name as keyof Settings])
    )
  )
}

const invalid = (faults: FieldFaults): Result<never, Failure> => failed('setting-invalid', {}, faults)

function withField(failure: Failure, field: string): Result<never, Failure> {
  return {
    ok: false,
    failure: { ...failure, fields: { ...failure.fields, [field]: invalidField('certificate-file') } }
  }
}
