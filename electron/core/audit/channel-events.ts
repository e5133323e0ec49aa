/**
 * Which audit trail events each action creates, by channel. The reference page and the test that performs each action
 * use this list. A channel without an entry does not compile.
 */
import type { ChannelName } from '#contract/ipc/ipc.ts'
import type { EventKind } from '#wire/history/events.ts'

export type ChannelAudit =
  /** Kinds of events with the operator; `when` is the condition if not every request creates them. */
  | { readonly leaves: readonly EventKind[]; readonly when?: string }
  /** Why the action creates no event. */
  | { readonly none: string }

export const channelEvents = {
  'app.state': { none: 'It returns the state of the console, without personal data.' },
  'lock.now': { leaves: ['console.locked'] },
  'lock.ready': { none: 'The lock that it belongs to leaves an event.' },
  'lock.active': { none: 'It says that somebody uses the window.' },
  'lock.unlock': {
    leaves: ['console.unlocked'],
    when: 'The console is locked. A wrong passphrase leaves `unlock.failed`.'
  },
  'lock.recover': {
    leaves: ['passphrase.changed', 'console.unlocked'],
    when: 'The console is locked and the recovery key fits.'
  },
  'passphrase.change': { leaves: ['passphrase.changed'] },
  'app.copy': { leaves: ['text.copied'] },
  'app.copied': { leaves: ['text.copied'] },
  'settings.change': {
    leaves: ['setting.changed'],
    when: 'A setting changes other than those that the window only remembers, such as the last connection or a saved view.'
  },
  'settings.chooseCaFile': { none: 'It only reads the chosen certificate file; using it is a change of settings.' },
  'settings.reset': { leaves: ['setting.changed'] },
  'support.save': { none: 'The support file has no personal data and no secret.' },
  'prints.note': { leaves: ['export.made'] },
  'keychain.tryAgain': { none: 'It checks the keychain again; an opened history records its start.' },

  'timestamps.chooseAuthorities': {
    none: 'It only reads the chosen certificate file; using it is a change of settings.'
  },
  'evidence.timestamp': { leaves: ['export.made'] },
  'timestamps.test': { none: 'It sends a hash of random bytes.' },

  'certificates.show': { none: 'Certificates are public.' },
  'certificates.request': { none: 'A request contains the public key and a name that the user entered.' },
  'certificates.create': { leaves: ['setting.changed'] },
  'certificates.import': { leaves: ['setting.changed'] },
  'certificates.remove': { leaves: ['setting.changed'] },
  'keys.list': { none: 'Public keys contain no personal data.' },
  'keys.revoke': { leaves: ['setting.changed'] },
  'keys.replace': { leaves: ['setting.changed'] },

  'team.state': { none: 'It says what this computer knows of its team.' },
  'team.chooseFile': { none: 'It only reads the chosen file; using it is a change of the team.' },
  'team.access': { leaves: ['setting.changed'], when: 'It is prepared for the first time.' },
  'team.create': { leaves: ['setting.changed'] },
  'team.invite': { leaves: ['setting.changed'] },
  'team.recover': { leaves: ['setting.changed'] },
  'team.join': { leaves: ['setting.changed'] },
  'team.admit': { leaves: ['setting.changed'] },
  'team.members': { none: 'It lists colleagues and their roles, and no applicant.' },
  'team.changeRole': { leaves: ['setting.changed'] },
  'team.remove': { leaves: ['setting.changed'] },
  'team.leave': { leaves: ['setting.changed'] },
  'team.share': { leaves: ['setting.changed'] },
  'team.exchange': { none: 'It says how the exchange goes, without personal data.' },
  'team.activity': { leaves: ['view.opened'] },
  'team.check': { leaves: ['view.opened'] },
  'team.queue': { leaves: ['view.opened'] },
  'team.claims': { none: 'It says who handles items that the window shows already.' },
  'team.overview': { leaves: ['view.opened'] },
  'team.acknowledgeFinding': { leaves: ['finding.acknowledged'] },
  'team.saveProof': { leaves: ['export.made'] },
  'team.applicant': { leaves: ['view.opened'] },
  'team.approvals': { leaves: ['view.opened'], when: 'Requests are asked for, not only how many wait.' },
  'team.askApproval': { leaves: ['approval.asked'] },
  'team.answerApproval': { leaves: ['approval.answered'] },
  'teamBatches.list': { none: 'It lists names of batches and of members, without rows.' },
  'teamBatches.share': { leaves: ['batch.shared'] },
  'teamBatches.join': { leaves: ['batch.made'], when: 'A colleague shared it, and it is not here yet.' },
  'teamBatches.progress': { none: 'It returns numbers, and names of members.' },

  'connections.list': { none: 'It lists connections, which contain no personal data.' },
  'connections.save': { leaves: ['connection.changed'] },
  'connections.remove': { leaves: ['connection.changed'] },
  'connections.reach': { none: 'It tests DNS, connection and certificate and sends no personal data.' },
  'diagnosis.run': { none: 'It tests the way to a service and sends no personal data.' },
  'diagnosis.stop': { none: 'A diagnosis reads nothing about anybody.' },
  'diagnosis.save': { none: 'A report has no personal data.' },
  'proxySignIns.list': { none: 'It lists addresses of proxies, without user names.' },
  'proxySignIns.set': { leaves: ['setting.changed'] },
  'proxySignIns.clear': { leaves: ['setting.changed'], when: 'Something was stored for the proxy.' },
  'credentials.set': { leaves: ['credential.changed'] },
  'credentials.clear': { leaves: ['credential.changed'] },
  'credentials.undoClear': { leaves: ['credential.changed'] },
  'practice.start': {
    leaves: ['connection.changed'],
    when: 'The practice connection is added or its address changes.'
  },

  'drops.identify': { none: 'It says what the operator’s own file is, by its first bytes.' },
  'documents.open': { leaves: ['document.viewed'], when: 'The document was fetched and can be shown.' },
  'documents.stop': { none: 'A document whose opening was stopped is not shown.' },
  'documents.compare': { leaves: ['document.compared'], when: 'The document was requested.' },
  'documents.note': { leaves: ['document.noted'] },
  'documents.check': { leaves: ['links.checked'] },

  'verification.run': {
    leaves: ['record.begun'],
    when: 'The request is sent. If the spend guard shows an earlier answer instead, that is a view (`view.opened`) of its record, or of a colleague’s check.'
  },
  'verification.cancel': {
    none: 'The start of the verification names the operator of the same session; its end records that it was cancelled.'
  },
  'history.page': { leaves: ['view.opened'] },
  'history.counts': { none: 'It returns numbers only.' },
  'history.record': { leaves: ['view.opened'] },
  'history.resolve': { leaves: ['record.settled'] },
  'history.tryAgain': { none: 'It opens the history of the folder; an opened history records its start.' },
  'history.openForSession': { leaves: ['setting.changed'], when: 'The history of the file did not open.' },
  'history.setAside': { leaves: ['setting.changed'] },

  'overview.show': { none: 'It returns numbers, and names of connections and batches.' },
  'overview.waiting': { none: 'It returns numbers only.' },

  'batches.choose': { none: 'It reads the operator’s own file; nothing is stored before a batch is created.' },
  'batches.checkText': { none: 'It reads the operator’s own text; nothing is stored before a batch is created.' },
  'batches.reopen': { none: 'It reads the file again that the operator chose before the console was closed.' },
  'batches.recheck': { none: 'It reads the operator’s own file or text again.' },
  'batches.recentDuplicates': { none: 'It returns a number only.' },
  'batches.saveInvalid': { leaves: ['export.made'] },
  'batches.checkLinks': { leaves: ['links.checked'], when: 'The check has ended or was stopped.' },
  'batches.stopLinks': { none: 'The check that it stops leaves an event.' },
  'batches.linkRows': { none: 'It returns numbers and headings of rows of the operator’s own file.' },
  'batches.saveLinks': { leaves: ['export.made'] },
  'batches.create': { leaves: ['batch.made'] },
  'batches.list': { none: 'It lists names and counts of batches, without rows.' },
  'batches.show': { none: 'It returns the name and the counts of a batch, without rows.' },
  'batches.rows': { leaves: ['view.opened'] },
  'batches.columns': { none: 'It returns the headings of a file.' },
  'batches.failed': { none: 'It returns numbers only.' },
  'batches.start': { leaves: ['batch.changed'] },
  'batches.pause': { leaves: ['batch.changed'], when: 'The batch is running.' },
  'batches.cancel': { leaves: ['batch.changed'] },
  'batches.yieldToUser': { none: 'Running batches wait for a moment; nothing changes.' },
  'batches.resolve': {
    leaves: ['record.settled'],
    when: 'The rows have records. Those of a restored batch that have none leave `batch.resolved`.'
  },
  'batches.save': { leaves: ['export.made'] },
  'batches.template': { none: 'A template has headings and no data.' },
  'batches.again': { leaves: ['batch.made'] },

  'backups.list': { none: 'It lists times, sizes and counts of backups.' },
  'backups.create': { leaves: ['export.made'] },
  'backups.since': { none: 'It returns numbers only.' },
  'backups.check': { leaves: ['evidence.verified'] },
  'backups.restore': { leaves: ['setting.changed'] },
  'recovery.state': { none: 'It says whether there is a recovery key.' },
  'recovery.create': { leaves: ['setting.changed'] },
  'recovery.confirm': { leaves: ['setting.changed'] },
  'recovery.open': { leaves: ['setting.changed'] },
  'retention.plan': { leaves: ['view.opened'] },
  'retention.run': { leaves: ['subject.erased'] },
  'holds.list': { leaves: ['view.opened'] },
  'holds.place': { leaves: ['hold.placed'] },
  'holds.lift': { leaves: ['hold.lifted'] },
  'erasure.preview': { leaves: ['view.opened'] },
  'erasure.run': { leaves: ['subject.erased'] },
  'erasure.receipts': { none: 'A receipt contains no personal data.' },
  'erasure.saveReceipt': { leaves: ['export.made'] },
  'exports.history': { leaves: ['export.made'] },
  'exports.audit': { leaves: ['export.made'] },
  'exports.applicants': { leaves: ['export.made'] },
  'exports.batches': { leaves: ['export.made'] },
  'exports.catalogue': { leaves: ['export.made'] },
  'exports.stop': { none: 'A stopped export leaves no file.' },

  'evidence.create': { leaves: ['pack.made', 'export.made'] },
  'evidence.check': { leaves: ['evidence.verified'] },
  'evidence.checkText': { leaves: ['evidence.verified'] },
  'evidence.publicKey': { none: 'A public key contains no personal data.' },
  'evidence.savePublicKey': { none: 'A public key contains no personal data.' },
  'evidence.saveVerifier': { none: 'The verifier is public.' },
  'cases.open': { leaves: ['view.opened'] },
  'cases.countersign': { leaves: ['case.signed'] },
  'cases.import': { leaves: ['case.countersigned'] },
  'cases.list': { leaves: ['view.opened'] },

  'applicants.matching': { leaves: ['view.opened'] },
  'applicants.list': { leaves: ['view.opened'] },
  'applicants.show': { leaves: ['view.opened'] },
  'applicants.timeline': { leaves: ['view.opened'] },
  'applicants.answers': { leaves: ['view.opened'] },
  'applicants.note': { leaves: ['note.made'] },
  'applicants.changeMany': { leaves: ['tags.changed', 'due.changed'] },
  'applicants.tag': { leaves: ['tags.changed'] },
  'applicants.link': { leaves: ['link.made'] },
  'applicants.unlink': { leaves: ['link.removed'] },
  'decisions.make': { leaves: ['decision.made'] },
  'queue.matching': { leaves: ['view.opened'] },
  'queue.list': { leaves: ['view.opened'], when: 'Entries are requested, not only the counts.' },
  'queue.due': { leaves: ['due.changed'] },
  'queue.assign': { leaves: ['assignee.changed'] },
  'catalogue.list': {
    leaves: ['view.opened'],
    when: 'The messages of one applicant are requested. The list of all messages contains only the service’s messages with counts.'
  },
  'catalogue.read': { leaves: ['message.read'] },
  'catalogue.of': { none: 'It returns the service’s message of a record that is already shown, without an applicant.' },
  'catalogue.readings': { none: 'It lists interpretations of a message, without an applicant.' },

  'drafts.read': { none: 'It returns what the same person typed into this window, unfinished.' },
  'drafts.keep': { none: 'It stores unfinished input, sealed; an action that uses it is an event of its own.' },

  'updates.check': { none: 'It fetches a public file, with the same request as everybody.' },

  'sample.open': {
    none: 'It starts a second console, whose folder and audit trail are its own; nothing of this one changes.'
  },
  'screenShare.switch': { leaves: ['screen-share.switched'], when: 'It changes the mode.' },
  'screenShare.reveal': { leaves: ['value.revealed'] },
  'sample.close': {
    none: 'The end of the console is recorded like any other, and is then deleted with the sample data.'
  },

  'audit.page': { leaves: ['view.opened'] },
  'audit.head': { none: 'It returns a number and hashes.' },
  'audit.prove': { none: 'It returns hashes only.' },
  'audit.verify': { leaves: ['evidence.verified'] }
} as const satisfies Record<ChannelName, ChannelAudit>
