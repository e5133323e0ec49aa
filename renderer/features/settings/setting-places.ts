/** Where each setting of the console is changed. The palette follows this table; what core knows and it lacks does not compile. */
import type { Settings } from '#contract/settings/settings.ts'
import { words as applicants } from '../applicants/words.ts'
import { words as reasons } from '../reasons/words.ts'
import { words } from './words.ts'

/** A row of the settings: its label, and other words by which people look for it. */
type Row = readonly [label: string, synonyms: string]
/** Where a setting is changed that has no row there: a page of its own, or the thing itself, such as a table by its columns. */
type Elsewhere = 'data-management' | 'keys' | 'itself'

export const settingTable: Readonly<Record<keyof Settings, Row | Elsewhere>> = {
  displayName: [words.yourNameInDecisions, words.search.operatorAccountPerson],
  startPage: [words.startPage, words.search.firstPageHome],
  theme: [words.theme, words.search.appearanceDarkLightSystemColours],
  density: [words.density, words.search.appearanceCompactComfortableRows],
  sideBar: [words.sideBar, words.search.railIconsMenu],
  dateFormat: [words.datesAndTimes, words.search.dateFormatIso],
  timeZone: [words.timeZone, words.search.timezoneUtc],
  letterKeys: [words.letterKeys, words.search.keyboardShortcutsCharacter],
  lockMinutes: [words.lockAfter, words.search.minutesIdleAwayInactivityAutomatic],
  lockBatch: [words.runningBatches, words.search.lockPauseContinue],
  clipboardSeconds: [words.clearTheClipboardAfter, words.search.copyPrivacySeconds],
  screenShareAtStart: [words.startInScreenShareMode, words.search.hideMaskPrivacyPersonalData],
  confirmLive: [words.confirmEachLiveVerification, words.search.askLive],
  spendGuardMinutes: [words.offerTheEarlierAnswer, words.search.duplicatesRepeatedCostBilled],
  retryBusy: [words.sendBusyRowsAgain, words.search.batchRetryBusy],
  checkLinks: [words.checkLinksBeforeSending, words.search.checkDocumentsExpiredImages],
  decisionNoteNeeded: [words.requireANote, words.search.requiredReason],
  requireApproval: [words.fourEyes, words.search.fourEyes],
  approvalHours: [words.requestsOverdueAfter, words.search.approvalHours],
  checklists: [reasons.checklistForDecisions, words.search.checklists],
  riskClasses: [words.riskClasses, words.search.riskClasses],
  sampleMinimumShare: [words.sampleOfManyDecisions, words.search.percentRandom],
  tagsDecidedAlone: [words.tagsDecidedAlone, words.search.bulkLeftOut],
  notifyAssigned: [words.notifyAssigned, words.search.notifyAlert],
  reviewRemindDays: [words.remindOfReviews, words.search.periodicReviewReminderDays],
  notifyDue: [words.notifyDue, words.search.notifyAlert],
  notifyApproval: [words.notifyApproval, words.search.notifyAlert],
  notifyBatch: [words.notifyBatch, words.search.notifyAlert],
  notifyConnection: [words.notifyConnection, words.search.notifyAlert],
  proxyMode: [words.proxy, words.search.networkProxy],
  extraCaFile: [words.extraCertificateAuthorities, words.search.networkTlsCaCompanyCertificate],
  connectTimeout: [words.connectionTimeout, words.search.limitSecondsSlow],
  totalTimeout: [words.responseTimeout, words.search.limitSecondsSlow],
  maxReplyBytes: [words.maximumResponseSize, words.search.limitBytes],
  updateFeed: [words.updateFeed, words.search.updatesNewVersionReleaseUpgrade],
  logForwarding: [words.logForwarding, words.search.syslogSiemCollector],
  nameFields: [applicants.whichValuesAreTheName, words.search.nameFields],
  timestampAuthority: 'keys',
  backupHours: 'data-management',
  backupCount: 'data-management',
  retentionDays: 'data-management',
  retentionFrom: 'data-management',
  retentionYears: 'data-management',
  // Below the control that they belong to, or where they are used.
  proxyUrl: 'itself',
  proxyBypass: 'itself',
  decisionReasons: [reasons.reasonsForDecisions, words.search.reasonCodes],
  removedReasons: 'itself',
  savedViews: 'itself',
  queueViews: 'itself',
  columnProfiles: 'itself',
  recipes: 'itself',
  tables: 'itself',
  paneSizes: 'itself',
  lastConnection: 'itself',
  lastOperation: 'itself',
  lastPage: 'itself',
  firstRunDone: 'itself',
  updateDismissed: 'itself'
}

/** Every row of the settings, also of those that are no setting of core. */
export const settingPlaces: readonly Row[] = [
  ...Object.values(settingTable).filter((place) => typeof place !== 'string'),
  [reasons.checklistForReviews, words.search.checklists],
  [words.passphrase, words.search.lockUnlockPasswordChangeRemove],
  [words.proxySignIn, words.search.networkPasswordUserName407],
  [words.publicKeys, words.search.updatesMinisignSignature],
  [words.fileOfEvents, words.search.syslogSiemCollector]
]
/** Settings of the tab of keys, by their label. */
export const keyPlaces: readonly Row[] = [
  [words.addressOfTheAuthority, words.search.timeStampTimestampRfc3161],
  [words.certificatesOfTheAuthority, words.search.timeStampTimestampRfc3161]
]
