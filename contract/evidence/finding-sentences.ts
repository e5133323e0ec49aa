/**
 * The sentences of what the checks of an evidence pack of version 1 find, by code; `contract/evidence/findings.ts` has
 * the check of each. Hashes, names and kinds in details are texts, everything else is a number.
 */
export const evidenceFindingTable = {
  // Form
  'form-right': 'A pack of version 1 in its canonical form.',
  'not-json': 'It is not JSON.',
  'unreadable': 'The text cannot be read.',
  'form-wrong': 'This is not an evidence pack of version 1 ({place}).',
  'not-canonical': 'It is not in canonical form ({place}).',
  'archive-wrong': 'The ZIP file is damaged, or Veridesk did not write it.',
  'too-deep': 'It is nested more than 64 levels deep.',
  'name-twice': 'A value of {place} occurs twice.',
  'values-unsorted': 'The values of {place} are not sorted.',
  // Signature
  'signature-right': 'The content is as it was signed.',
  'signature-wrong': 'The signature does not match the content.',
  'key-worthless': 'One of its keys has small order: its signatures prove nothing.',
  'key-of-another': 'The signature names another key than the content.',
  // Events
  'events-right': 'Events: {events}. Their hashes are right, and so is each value that they show.',
  'event-order': 'Event {event} is out of order.',
  'event-not-next': 'Event {event} does not follow the one before it.',
  'event-first': 'The first event follows another.',
  'event-changed': 'Event {event} is not what was recorded.',
  'event-links': 'The links of event {event} are not those of its kind.',
  'value-missing': 'Event {event} does not show {name}, which every pack shows.',
  'value-misplaced': 'Event {event} has {name} in another part than its own.',
  'made-otherwise': 'Event {event} does not state what an event of its kind must.',
  'full-withholds': 'It is a full pack, but withholds values of {place}.',
  'operator-shown': 'It withholds staff names, but shows that of event {event}.',
  'reason-shown': 'It shows why somebody was erased, event {event}, which no pack does.',
  // Tree
  'tree-right': 'All of them are in the audit trail of {size} events, of which this pack is the last.',
  'not-in-tree': 'Event {event} is not in the tree.',
  'tree-contradicts': 'It contradicts itself about events {first} to {last}.',
  'origin-wrong': 'Event 1, which names the audit trail, is not in the tree.',
  'not-last': 'Its last event does not record this pack, or is not the last one of the audit trail.',
  'continues': 'The audit trail continues that of the pack before it, which ended with event {size}.',
  'first-pack': 'It names no earlier pack of this audit trail.',
  'consistency-wrong': 'The audit trail does not continue the one that it names, of {size} events.',
  'consistency-missing':
    'It shows an earlier pack, event {event}, but does not prove that the audit trail continues it.',
  'consistency-other': 'It continues another audit trail than that of its last earlier pack, event {event}.',
  // Responses and erasure
  'responses-right': 'Responses: {bodies}. Each is the one that was recorded.',
  'response-order': 'The response of record {record} is out of order.',
  'response-twice': 'It contains two responses for record {record}.',
  'response-stray': 'The response of record {record} belongs to no event.',
  'response-missing': 'The response of record {record} is missing, which its end names.',
  'response-changed': 'The response of record {record} is not the one that was recorded.',
  'partly-erased': 'Data of {place} is missing, but other data of the same person is present.',
  'erasure-missing': 'Data of {place} is missing, but no later event that is shown records that it was erased.',
  // Withheld
  'values-right': 'Values withheld: {withheld}, each behind its digest.',
  'events-withheld': 'Events of which all values are withheld: {kinds}.',
  // Completeness
  'series-complete': 'All {count} events of {series} up to event {last} are shown.',
  'series-other': 'Event {event} does not state the series that the pack must contain, in their order.',
  'series-gap': 'Events of {series} are missing: {missing}, between events {first} and {last}.',
  'series-end-missing': 'Events of {series} are missing at the end: {missing}, after event {first}.',
  'series-contradicts': 'Event {event} contradicts the order of events of {series}.',
  // Subject
  'subject-right': 'It is about what it states.',
  'subject-other': 'It states another subject than event {event}.',
  'subject-withheld': 'It withholds what it is about, or shows what its profile withholds.',
  'subject-unnamed': 'None of its events names the applicant.',
  'profile-other': 'It states another profile than event {event}.',
  'person-other': 'Event {event} is about another person.',
  'record-other': 'Event {event} is about another record.',
  'record-unnamed': 'Event {event} names no record.',
  'record-parts': 'Event {event} does not belong to a record that is shown, or occurs twice in it.',
  // Approvals
  'approvals-right':
    'Answers of colleagues to requests for approval: {held}. All agree, and each is signed. Keys were not compared.',
  'approvals-against':
    'Answers of colleagues to requests for approval: {held}, of which {against} do not agree. Each is signed. Keys were not compared.',
  'approvals-void':
    'Answers of colleagues to requests for approval that arrived after newer evidence: {held}. They are signed, and count for nothing.',
  'approvals-unproved':
    'Answers of colleagues to requests for approval: {held}, of which {against} do not agree. They are not proved, because the pack withholds their signatures, and whether they arrived after newer evidence.',
  'approval-enough': 'The decision needs {required} second person. Who agrees: {agreeing}. Keys were not compared.',
  'approval-missing':
    'The decision is only proposed: it needs {required} second person. Who agrees: {agreeing}; who does not: {against}.',
  'approval-withheld': 'The decision needs a second person, and the pack withholds what that person said.',
  'approval-form': 'The answer to a request for approval in event {event} is not in the required form.',
  'approval-signature': 'The signature of the answer in event {event} does not match.',
  'approval-request': 'The answer in event {event} is to another request than the one that is shown.',
  // Attachments
  'attachment-twice': 'Two attachments are named {name}.',
  'attachment-right': 'The file {name} is the one that belongs to the pack.',
  'attachment-wrong': 'The file {name} is not the one that belongs to the pack.',
  'attachment-unknown': 'No file {name} belongs to the pack.',
  'attachment-not-compared': 'The file {name} belongs to the pack and was not compared.',
  'attachment-absent': 'The file {name} belongs to the pack. It is not beside it and was not compared.',
  'attachment-missing': 'The file {name} belongs to the pack. It is missing from the ZIP file.',
  'attachment-unproved': 'The pack names the file {name}, but no event says that such a copy was kept.',
  'document-left-out': 'A copy of the document of {name} was kept (event {event}). It is not in the ZIP file.',
  // Time-stamps
  'timestamp-right': 'It existed on {time}, according to {name}.',
  'timestamps-unchecked':
    'Time-stamps: {count}. They were not checked, because no certificate authority was given for them.',
  'timestamp-unreadable': 'A time-stamp is not in the required form.',
  'timestamp-imprint': 'A time-stamp is about something else.',
  'timestamp-nonce': 'A time-stamp does not answer its request.',
  'timestamp-signature': 'The signature of a time-stamp is not valid.',
  'timestamp-identity': 'A time-stamp does not identify the certificate that signed it.',
  'timestamp-purpose': 'A time-stamp was signed with a certificate that is not for time-stamps alone.',
  'timestamp-chain': 'A time-stamp was not checked: it does not lead to a certificate authority that was given.',
  'timestamp-validity':
    'A time-stamp was not checked: a certificate that leads to the authority was not valid at its time.',
  'timestamp-algorithm': 'A time-stamp uses an algorithm that is not accepted.',
  'timestamp-other-content': 'A time-stamp is signed, but is not one.',
  // Certificates
  'certificate-right': 'The key that signed belongs to {name}, according to a certificate authority that was given.',
  'certificates-unchecked':
    'It contains a certificate of its key. No certificate authority was given to check it with.',
  'certificate-none': 'It contains no certificate of its key.',
  'certificate-key': 'Its first certificate is for another key.',
  'certificate-unreadable': 'A certificate is not in the required form.',
  'certificate-purpose':
    'The certificate of its key is not for signing, or restricts its use in a way that is not known.',
  'certificate-chain': 'The certificates do not lead to a certificate authority that was given.',
  'certificate-validity': 'A certificate was not valid when the pack was made.',
  'certificate-algorithm': 'A certificate uses an algorithm that is not accepted.',
  // Revocations
  'key-revoked':
    'Its key has been revoked since {time} ({name}), and no valid time-stamp shows that the pack is older than the revocation.',
  'key-revoked-since':
    'Its key has been revoked since: {time} ({name}), as the revocation says. A time-stamp shows when the pack existed.',
  'key-not-revoked': 'None of the revocations that were given counts for its key. Revocations: {count}.',
  // Trust file
  'trust-speaks':
    'Version {version} of the trust file of {name}, valid until {time}, speaks for it. Digest of its first keepers, to compare: {digest}.',
  'trust-spoke':
    'Version {version} of the trust file of {name} spoke for it, as its time-stamp shows; that version expired on {time}. Digest of its first keepers, to compare: {digest}.',
  'trust-expired':
    'Version {version} of the trust file of {name} expired on {time}, and no time-stamp shows that the pack is older. It does not speak for it.',
  'trust-signer': 'By the trust file, its key belongs to {name}, who signs packs.',
  'trust-unlisted': 'The trust file does not name its key.',
  'trust-role': 'By the trust file, its key belongs to {name}, who does not sign packs.',
  'trust-period':
    'By the trust file, its key belongs to {name}, but nothing shows that the pack was made while that person signed packs.',
  'trust-approver': 'By the trust file, the answer in event {event} was signed by {name}, who may approve.',
  'trust-approver-unknown':
    'The answer in event {event} was signed with a key whose owner may not approve by the trust file, or not at that time.',
  'certificate-elsewhere': 'Its certificates do not lead to an authority in the trust file.',
  // Two packs
  'beside-continues':
    'The audit trail of the larger pack provably continues that of the smaller one. Events in both: {events}.',
  'beside-same': 'Both packs are from the same state of the audit trail. Events in both: {events}.',
  'beside-open':
    'The two packs do not contradict each other. Whether one audit trail continues the other cannot be determined from them. Events in both: {events}.',
  'beside-forked': 'The two packs contradict each other about events {first} to {last}: the audit trail was forked.',
  'beside-origin': 'The two packs are from different audit trails.'
} as const satisfies Readonly<Record<string, string>>
