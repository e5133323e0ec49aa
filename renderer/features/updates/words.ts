/** Sentences of updates. */
import { inLanguage, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  files: 'Files',
  addressOfTheNotes: 'Address of the notes',
  copyNotesAddress: 'Copy notes address',
  checksums: 'Checksums',
  copyChecksums: 'Copy checksums',
  verideskDoesNotDownloadThem:
    'Veridesk does not download them. Compare the SHA-256 of a file with the one below before you install it.',
  filesOfTheRelease: 'Files of the release',
  sha256Sha256: ({ sha256 }: { sha256: Value }) => `SHA-256 ${sha256}`,
  fileBytesUrl: ({ file, url }: { file: Value; url: Value }) => `${file} bytes · ${url}`,
  released: 'Released',
  noticeValidUntil: 'Notice valid until',
  runsOn: 'Runs on',
  systemOrNewer: ({ system }: { system: Value }) => `${system} or newer`,
  releaseNotes: 'Release notes',
  newRelease: 'New release',
  verideskVersionIsAvailableNothing: ({ version }: { version: Value }) =>
    `Veridesk ${version} is available. Nothing was downloaded.`,
  newReleases: 'New releases',
  details: 'Details',
  dismissTheNoticeOfVeridesk: ({ version }: { version: Value }) => `Dismiss the notice of Veridesk ${version}`,
  offNothingIsFetched: 'Off. Nothing is fetched.',
  checking: 'Checking …',
  notCheckedYet: 'Not checked yet.',
  lastCheckedTime: ({ time }: { time: Value }) => `Last checked ${time}.`,
  releaseIsAvailable: ({ release, installed }: { release: Value; installed: Value }) =>
    `Veridesk ${release} is available. Installed version: ${installed}.`,
  installedIsUpToDate: ({ installed }: { installed: Value }) => `Veridesk ${installed} is up to date.`
})
