/** Reasons shared by several failures, as phrases within a sentence. */

/** Errors of the operating system. The error's own text is never used, because it contains paths. */
export const systemPhrases = {
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'the disk is read-only',
  EBUSY: 'another application is using it',
  EISDIR: 'there is a folder with this name',
  ENOTDIR: 'part of its path is not a folder',
  ENOENT: 'its folder does not exist',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFTYPE: 'it is not a regular file',
  EFBIG: 'it is too large',
  EEXIST: 'a file or folder with this name already exists',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reported an error'
} as const

/** What can be wrong with one of Veridesk’s own data files. */
export const dataFileReasons = {
  'too-large': 'it is too large',
  'not-text': 'it is not a text file',
  'empty': 'it is empty',
  'not-json': 'it is not valid JSON',
  'other-format': 'it is not a {format} file',
  'field': '“{field}” is invalid',
  'content': 'its content is invalid',
  'other-version': 'Veridesk does not read version {version} of it',
  'not-renamed': 'its content is invalid, and it could not be renamed: {errno}'
} as const

/** What is where a file is to be written. */
export const obstacleReasons = {
  folder: 'there is a folder with this name',
  link: 'there is a link with this name; choose the file that it points to',
  pipe: 'there is a pipe with this name',
  socket: 'there is a socket with this name',
  device: 'there is a device with this name',
  own: 'it is in a data folder of Veridesk, or is one of its files'
} as const

const unknownAuthority = 'its certificate was issued by an authority that this computer does not trust'
const notTls = 'the server at this address does not use TLS'
const oldTls = 'it supports only versions of TLS that are no longer secure'
const closedEarly = 'it closed the connection during the TLS handshake'

/** Why a TLS connection was not established, by error code. */
export const tlsReasons = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check this computer’s clock',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate was issued for a different name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_SIGNATURE_FAILURE: 'the signature of its certificate is invalid',
  CERT_REVOKED: 'its certificate has been revoked',
  ECONNRESET: closedEarly,
  EPIPE: closedEarly,
  EPROTO: 'the TLS handshake failed',
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: oldTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: oldTls,
  other: 'the TLS handshake failed with {errno}'
} as const
