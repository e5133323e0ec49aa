/** The team's database: whether it can be reached and used, and what it refuses. */
import type { FailureRows } from '../failures/declaration.ts'
import { tlsReasons } from '../failures/phrases.ts'

const nothingSent = 'No team data was sent to it.'

export const teamDatabaseFailures = {
  'team-database-unreachable': {
    what: 'The team’s database at {host} could not be reached: {reason}.',
    impact: 'Nothing is exchanged with the team until it can be reached. You can continue to work.',
    nextStep: 'Check the address, the network and the VPN, or ask the database’s administrator.',
    reasons: {
      refused: 'it refused the connection or cannot be reached',
      name: 'DNS lookup failed',
      timeout: 'it did not answer within {seconds} s',
      starting: 'it is starting or being shut down',
      behind: 'the server in front of it, such as a pooler, has no connection to it ({sqlState})'
    }
  },
  'team-database-standby': {
    what: 'The server at {host} is a standby: a copy that follows the team’s database, perhaps late.',
    impact: 'What it shows is not compared or received, and nothing is sent to it. You can continue to work.',
    nextStep:
      'Veridesk tries again by itself. If this stays, ask the database’s administrator for the address of the primary server.'
  },
  'team-database-unable': {
    what: 'The team’s database at {host} cannot do its work now: {reason} ({sqlState}).',
    impact: 'The statement had no effect. What was recorded here stays on this computer and is sent later.',
    nextStep: 'Tell the database’s administrator if this stays. Veridesk tries again by itself.',
    reasons: {
      'disk': 'its disk is full',
      'memory': 'it has no memory left',
      'limit': 'a limit of its configuration has been reached',
      'read-only':
        'it accepts no changes. It may be a standby, or its administrator or provider has made it read-only, for example because its disk is full',
      'cancelled': 'it ended a statement that took too long, or that somebody cancelled',
      'busy': 'other work was in the way',
      'damaged': 'it reports an error of its own, such as files that it cannot read or that are damaged'
    }
  },
  'team-database-ended': {
    what: 'The team’s database at {host} ended the connection: {reason} ({sqlState}).',
    impact: 'It is not known whether it received the last change. Veridesk sends it again; it takes effect only once.',
    nextStep: 'Veridesk reconnects by itself. If this happens again and again, tell the database’s administrator.',
    reasons: {
      shutdown: 'it is being shut down, or its administrator ended the connection',
      crash: 'one of its processes crashed',
      idle: 'nothing was asked for longer than the server allows'
    }
  },
  'team-database-untrusted': {
    what: 'The secure connection to the team’s database at {host} failed: {reason}.',
    impact: nothingSent,
    nextStep:
      'If the certificate is for another name, connect by that name. Otherwise ask the database’s administrator for the file of its certificate authority.',
    reasons: tlsReasons
  },
  'team-database-unencrypted': {
    what: 'The team’s database at {host} does not use TLS.',
    impact: nothingSent,
    nextStep: 'Ask its administrator to switch TLS on. TLS is optional only for a database on this computer.'
  },
  'team-sign-in-insecure': {
    what: 'The team’s database at {host} did not prove its identity: {reason}.',
    impact: 'Neither the password nor team data was sent.',
    nextStep:
      'Ask its administrator to require “scram-sha-256” for this role. If it already does, another server may be answering in its place.',
    reasons: {
      password: 'it asked for the password itself',
      proof: 'its proof of the password is wrong or incomplete',
      none: 'it asked for no sign-in'
    }
  },
  'team-sign-in-refused': {
    what: 'The team’s database at {host} refused the sign-in.',
    impact: nothingSent,
    nextStep:
      'If you entered a password, check it. Otherwise ask the database’s administrator: the access SQL of this installation has not been run in this database yet, the access was ended, or its password is stored as “md5” instead of “scram-sha-256”.'
  },
  'team-database-missing': {
    what: 'There is no database “{database}” at {host}.',
    impact: nothingSent,
    nextStep: 'Check its name, or ask the database’s administrator.'
  },
  'team-database-full': {
    what: 'The team’s database at {host} accepts no more connections, of this role or at all.',
    impact: 'Nothing was changed.',
    nextStep:
      'Close Veridesk wherever else it uses this role, or try again in a minute. If this stays, ask the database’s administrator to allow more.'
  },
  'team-database-silent': {
    what: 'The team’s database at {host} did not respond for {seconds} s, so the connection was closed.',
    impact: 'It is not known whether it received the last change. Veridesk sends it again; it takes effect only once.',
    nextStep: 'Check the network. Veridesk reconnects by itself.'
  },
  'team-database-lost': {
    what: 'The connection to the team’s database at {host} was lost.',
    impact: 'It is not known whether it received the last change. Veridesk sends it again; it takes effect only once.',
    nextStep: 'Check the network. Veridesk reconnects by itself.'
  },
  'team-database-refused': {
    what: 'The team’s database at {host} refused a statement ({sqlState}).',
    impact: 'Nothing was changed.',
    nextStep: 'Give the code in brackets to the database’s administrator.'
  },
  'team-answer-unusable': {
    what: 'The answer of the team’s database at {host} cannot be used: {reason}.',
    impact: 'It was discarded.',
    nextStep:
      'Check the address. If it is right, tell the database’s administrator: another application may be answering in its place.',
    reasons: {
      'too-large': 'it is larger than {limitBytes}',
      'malformed': 'it does not follow the PostgreSQL protocol',
      'too-slow': 'it was not complete after {seconds} s',
      'rows': 'it does not have the requested form'
    }
  },
  'team-schema-missing': {
    what: 'The database “{database}” at {host} is not prepared for a team.',
    impact: 'Nothing was changed.',
    nextStep: 'Ask its administrator to run the SQL that “team schema” prints.'
  },
  'team-schema-other': {
    what: 'The team’s database has version {found}; this console needs version {version}.',
    impact: 'Nothing was changed.',
    nextStep: 'Install the version of Veridesk that the team’s other installations have.'
  },
  'team-schema-partial': {
    what: 'The database “{database}” cannot be used for a team: {reason}.',
    impact: 'Nothing was changed.',
    nextStep:
      'Keep the schema, since it may have the data of a team. Ask its administrator to restore it with its owners, or to make “vd_owner” the owner of the schema and of all that is in it. A new team needs an empty database.',
    reasons: {
      owner:
        'what is in its schema “veridesk” belongs to “{role}” instead of “vd_owner”, as after a restore without the owners',
      parts: 'parts of its schema “veridesk” are missing or replaced'
    }
  },
  'team-member-missing': {
    what: 'The role “{role}” has no access to the team’s database at {host}.',
    impact: 'Nothing was changed.',
    nextStep:
      'Ask its administrator to run the access SQL of this installation in this database. If that was done, the access has been ended since.'
  }
} as const satisfies FailureRows
