/** Files and texts that are checked before a batch is created from them, and the rows that the spend guard would skip. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import type { BatchCheck, BatchReading, RecentDuplicates } from '#contract/batches/batches.ts'
import type { CheckedLines, CheckedLinesQuery, NextInvalidQuery } from '#contract/batches/lines.ts'
import { failed } from '#contract/failures/failures.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { ok } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { Drafts } from '#core/drafts/drafts.ts'
import type { Clock } from '#kit/clock.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { HeldChecks } from './held-checks.ts'
import { inBatches, type Answer, type HistoryParts } from './open-history.ts'
import { fittingProfile, profileColumns, textReading } from './profiles.ts'
import { checkedLines } from './lines.ts'
import { countRecentDuplicates } from './recent-duplicates.ts'

export interface CheckParts extends HistoryParts {
  readonly clock: Clock
  readonly host: Pick<HostPorts, 'chooseFile'>
  settings(): Settings
  announce(event: ConsoleEvent): void
  /** Where the chosen file is, for the next start: sealed with the drafts. */
  readonly drafts?: Pick<Drafts, 'remember' | 'recall'>
}

export interface BatchChecks {
  /** For hosts that name files themselves, such as the command line. A window must not name paths. */
  checkFile(path: string, reading: BatchReading): Answer<BatchCheck>
  choose(reading: BatchReading): Answer<BatchCheck | null>
  checkText(name: string, text: string, reading: BatchReading): Answer<BatchCheck>
  checkDropped(name: string, base64: string, reading: BatchReading): Answer<BatchCheck>
  /** Reads the file that was chosen last again, if it is still the same; null if none is remembered. Failure: `batch-file-changed`. */
  reopen(sha256: string, reading: BatchReading): Answer<BatchCheck | null>
  recheck(checkId: string, reading: BatchReading): Answer<BatchCheck>
  /** Reads the same rows with a column profile. Failure: `batch-profile-missing`. */
  useProfile(checkId: string, name: string): Answer<BatchCheck>
  /** The lines of a checked file, of some kinds. */
  lines(query: CheckedLinesQuery): Answer<CheckedLines>
  nextInvalid(query: NextInvalidQuery): Answer<number | null>
  /** See the channel `batches.recentDuplicates`. */
  recentDuplicates(checkId: string, connectionId: string): Answer<RecentDuplicates | null>
}

/** A chosen file, to be read again after a restart. */
const chosenFileSchema = z.strictObject({ path: z.string(), bytes: z.number(), sha256: z.string() })
type ChosenFile = z.output<typeof chosenFileSchema>

const minute = 60_000
/** Milliseconds after which counting recently answered rows is abandoned; the window keeps showing "at most". */
const countTimeout = 30_000
/** Milliseconds between two progress events. */
const progressInterval = 200

/** Unix milliseconds since when an answer is recent; undefined where the spend guard is off. */
export function recentSince({ settings, clock }: Pick<CheckParts, 'settings' | 'clock'>): number | undefined {
  const minutes = settings().spendGuardMinutes
  return minutes === 0 ? undefined : clock.now() - minutes * minute
}

export function createBatchChecks(parts: CheckParts, held: HeldChecks) {
  const { clock } = parts
  const remember = async (chosen: ChosenFile | undefined): Promise<void> =>
    parts.drafts?.remember(chosen && JSON.stringify(chosen))
  async function remembered(): Promise<ChosenFile | undefined> {
    const fact = await parts.drafts?.recall()
    return fact === undefined ? undefined : chosenFileSchema.parse(JSON.parse(fact))
  }

  /** Identifies the latest count; a new one ends the previous one. */
  let counting: symbol | undefined
  /** Each correction and skipped line with the time at which it came here first. */
  const dated = ({ corrections, skipped, ...reading }: BatchReading): BatchReading => ({
    ...reading,
    ...(corrections && { corrections: corrections.map((each) => ({ ...each, at: each.at ?? clock.now() })) }),
    ...(skipped && { skipped: skipped.map((each) => ({ ...each, at: each.at ?? clock.now() })) })
  })
  /** With the profile that fits it. */
  async function withProfile(answer: Answer<BatchCheck>): Answer<BatchCheck> {
    const check = await answer
    const profile = check.ok && fittingProfile(parts.settings().columnProfiles, check.value)
    return check.ok && profile ? ok({ ...check.value, profile: profile.name }) : check
  }
  const channels: BatchChecks = {
    checkFile: (path, reading) => withProfile(held.file(path, reading)),
    async choose(reading) {
      const path = await parts.host.chooseFile('Choose a file with one request per line', [
        'csv',
        'tsv',
        'txt',
        'xlsx',
        'xlsm'
      ])
      if (path === undefined) return ok(null)
      const checked = await withProfile(held.file(path, reading))
      if (checked.ok) await remember({ path, bytes: checked.value.bytes, sha256: checked.value.sha256 })
      return checked
    },
    async reopen(sha256, reading) {
      const chosen = await remembered()
      if (chosen?.sha256 !== sha256) return ok(null)
      const changed = failed('batch-file-changed', { file: basename(chosen.path) })
      // A file of another size is not read to the end only to find out.
      const found = await stat(chosen.path).catch(() => undefined)
      if (!found?.isFile() || found.size !== chosen.bytes) return changed
      const checked = await withProfile(held.file(chosen.path, reading))
      return checked.ok && checked.value.sha256 !== sha256 ? changed : checked
    },
    checkText: (name, text, reading) => withProfile(held.text(name, text, reading)),
    checkDropped: (name, base64, reading) => withProfile(held.dropped(name, base64, reading)),
    recheck: (checkId, reading) => withProfile(held.again(checkId, dated(reading))),
    async useProfile(checkId, name) {
      const profile = parts.settings().columnProfiles.find((each) => each.name === name)
      if (!profile) return failed('batch-profile-missing', { name })
      const first = await held.again(checkId, textReading(profile))
      if (!first.ok) return first
      // An encoding that the profile does not name is still to be chosen.
      const { encoding: _, ...reading } = first.value.reading
      const known = first.value.encodings.length > 0 ? reading : first.value.reading
      return withProfile(held.again(checkId, { ...known, ...profileColumns(profile, first.value.columns) }))
    },
    async lines(query) {
      const checked = held.get(query.checkId)
      return checked.ok ? checkedLines(checked.value, query) : checked
    },
    async nextInvalid({ checkId, kinds, after }) {
      const checked = held.get(checkId)
      return checked.ok ? ok(checked.value.index.nextInvalid(kinds, after)) : checked
    },
    recentDuplicates: (checkId, connectionId) =>
      inBatches(parts, async (store) => {
        const mine = (counting = Symbol('count'))
        const checked = held.get(checkId)
        if (!checked.ok) return checked
        const since = recentSince(parts)
        if (since === undefined) return ok(null)
        const begun = clock.monotonic()
        let last = begun
        return countRecentDuplicates({
          ...checked.value,
          store,
          connectionId,
          since,
          over: () => counting !== mine || clock.monotonic() - begun > countTimeout,
          onProgress(rows) {
            if (clock.monotonic() - last < progressInterval) return
            last = clock.monotonic()
            parts.announce({ kind: 'recent-duplicates-progress', checkId, rows })
          }
        })
      })
  }
  return {
    channels,
    /** A count is for display only. */
    stopCounting: (): void => void (counting = undefined),
    /** A batch was created from the chosen file. */
    forgetChosen: (): Promise<void> => remember(undefined)
  }
}
