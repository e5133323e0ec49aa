/** What the window says about updates by notice. */
import type { AppState } from '#contract/app/app-state.ts'
import type { ReleaseFile } from '#contract/updates/releases.ts'
import type { UpdatesState } from '#contract/updates/updates.ts'
import { localTime } from '../../kit/time.ts'
import { words } from './words.ts'

/** The state in one sentence or two; what went wrong is a failure and said beside it. */
export function updateWords({ mode, checking, checkedAt, failure, notice }: UpdatesState, installed: string): string {
  if (mode !== 'on') return words.offNothingIsFetched
  if (checking) return words.checking
  if (checkedAt === undefined && !notice) return words.notCheckedYet
  const last = checkedAt === undefined ? [] : [words.lastCheckedTime({ time: localTime(checkedAt, 'short') })]
  if (notice?.newer)
    return [words.releaseIsAvailable({ release: notice.release.release, installed }), ...last].join(' ')
  // With a failure, nobody knows whether it is still so.
  return [...(failure || !notice ? [] : [words.installedIsUpToDate({ installed })]), ...last].join(' ')
}

/** The newer version that a line on the start page names; undefined if there is none, or its line was dismissed. */
export function newVersion({ notice }: UpdatesState, dismissed: string): string | undefined {
  return notice?.newer && notice.release.release !== dismissed ? notice.release.release : undefined
}

const platforms = { darwin: 'macos', linux: 'linux', win32: 'windows' } as const

/** Files for this system first, in the order of the notice otherwise. */
export function filesInOrder(files: readonly ReleaseFile[], platform: AppState['platform']): ReleaseFile[] {
  const isOwn = (file: ReleaseFile): boolean => file.platform === platforms[platform]
  return [...files.filter(isOwn), ...files.filter((file) => !isOwn(file))]
}

/** Keys as people enter them: in lines, or with spaces or commas between them. */
export const keysInText = (text: string): string[] => text.split(/[\s,]+/).filter((key) => key !== '')

/** The files as text to copy: digest and name, as `sha256sum --check` reads them. */
export const checksumText = (files: readonly ReleaseFile[]): string =>
  files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('')
