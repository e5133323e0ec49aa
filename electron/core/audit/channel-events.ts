/**
 * Which audit trail events each action creates, by channel. The reference page and the test that performs each action
 * use this list. A channel without an entry does not compile.
 */
import type { ChannelName } from '#contract/ipc.ts'
import type { EventKind } from '#core/history/api/events.ts'

export type ChannelAudit =
  /** Kinds of events with the operator; `when` is the condition if not every request creates them. */
  | { readonly leaves: readonly EventKind[]; readonly when?: string }
  /** Why the action creates no event. */
  | { readonly none: string }

export const channelEvents = {
  'app.state': { none: 'It returns the state of the console, without personal data.' },
  'app.copy': { leaves: ['text.copied'] },
  'app.copied': { leaves: ['text.copied'] },
  'settings.change': { leaves: ['setting.changed'], when: 'A setting changes other than those that the window only remembers, such as the last connection or a saved view.' },
  'settings.chooseCaFile': { none: 'It only reads the chosen certificate file; using it is a change of settings.' },
  'settings.reset': { leaves: ['setting.changed'] },
  'prints.note': { leaves: ['export.made'] },
  'keychain.tryAgain': { none: 'It checks the keychain again; an opened history records its start.' },

  'timestamps.chooseAuthorities': { none: 'It only reads the chosen certificate file; using it is a change of settings.' },
  'evidence.timestamp': { none: 'It adds a time-stamp to the file of a pack, which is unchanged otherwise.' },
  'timestamps.test': { none: 'It sends a hash of random bytes.' },

  'certificates.show': { none: 'Certificates are public.' },
  'certificates.request': { none: 'A request contains the public key and a name that the user entered.' },
  'certificates.create': { leaves: ['setting.changed'] },
  'certificates.import': { leaves: ['setting.changed'] },
  'certificates.remove': { leaves: ['setting.changed'] },
  'keys.list': { none: 'Public keys contain no personal data.' },
  'keys.revoke': { leaves: ['setting.changed'] },
  'keys.replace': { leaves: ['setting.changed'] },

  'connections.list': { none: 'It lists connections, which contain no personal data.' },
  'connections.save': { leaves: ['connection.changed'] },
  'connections.remove': { leaves: ['connection.changed'] },
  'connections.reach': { none: 'It tests DNS, connection and certificate and sends no personal data.' },
  'credentials.set': { leaves: ['credential.changed'] },
  'credentials.clear': { leaves: ['credential.changed'] },
  'credentials.undoClear': { leaves: ['credential.changed'] },
  'practice.start': { leaves: ['connection.changed'], when: 'The practice connection is added or its address changes.' },

  'drops.identify': { none: 'It says what the operator’s own file is, by its first bytes.' },
  'documents.open': { leaves: ['document.viewed'], when: 'The document was fetched and can be shown.' },

  'documents.compare': { leaves: ['document.compared'], when: 'The document was requested.' },
  'documents.note': { leaves: ['document.noted'] },
  'documents.check': { leaves: ['links.checked'] },

  'verification.run': { leaves: ['record.begun'], when: 'The request is sent. If the spend guard shows an earlier answer instead, that is a view (`view.opened`) of its record.' },
  'verification.cancel': { none: 'The start of the verification names the operator of the same session; its end records that it was cancelled.' },
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
  'batches.resolve': { leaves: ['record.settled'] },
  'batches.save': { leaves: ['export.made'] },
  'batches.template': { none: 'A template has headings and no data.' },
  'batches.again': { leaves: ['batch.made'] },

  'backups.list': { none: 'It lists times, sizes and counts of backups.' },
  'backups.create': { leaves: ['export.made'] },
  'backups.check': { none: 'It verifies a backup and returns counts only.' },
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
  'queue.list': { leaves: ['view.opened'], when: 'Entries are requested, not only the counts.' },
  'queue.due': { leaves: ['due.changed'] },
  'queue.assign': { leaves: ['assignee.changed'] },
  'catalogue.list': { leaves: ['view.opened'], when: 'The messages of one applicant are requested. The list of all messages contains only the service’s messages with counts.' },
  'catalogue.read': { leaves: ['message.read'] },
  'catalogue.of': { none: 'It returns the service’s message of a record that is already shown, without an applicant.' },
  'catalogue.readings': { none: 'It lists interpretations of a message, without an applicant.' },

  'drafts.read': { none: 'It returns what the same person typed into this window, unfinished.' },
  'drafts.keep': { none: 'It stores unfinished input, sealed; an action that uses it is an event of its own.' },

  'audit.page': { leaves: ['view.opened'] },
  'audit.head': { none: 'It returns a number and hashes.' },
  'audit.prove': { none: 'It returns hashes only.' },
  'audit.verify': { leaves: ['evidence.verified'] }
} as const satisfies Record<ChannelName, ChannelAudit>
