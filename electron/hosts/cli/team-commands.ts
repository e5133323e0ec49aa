/** The commands for a team, as data. */
import { findingName, teamFindingKinds } from '#contract/team/activity.ts'
import { teamRoles } from '#contract/team/team.ts'
import type { Command } from './command.ts'

const json = { json: { type: 'boolean', help: 'print JSON instead of text' } } as const
const address = {
  host: { type: 'string', value: 'HOST', help: 'name or address of the server' },
  port: { type: 'string', value: 'N', help: 'its port (5432)' },
  database: { type: 'string', value: 'NAME', help: 'name of the database' },
  ca: {
    type: 'string',
    value: 'FILE',
    help: 'PEM file with the certificate authority that the server’s certificate must lead to; those of this computer by default'
  }
} as const
const to = { type: 'string', value: 'FILE', help: 'file to write; an existing file is replaced', writes: true } as const
const name = { type: 'string', value: 'TEXT', help: 'how colleagues see this installation, such as your name' } as const
const role = { type: 'string', value: teamRoles.join('|'), help: 'what the member may do' } as const

export const teamCommands = {
  teamSchema: {
    words: ['team', 'schema'],
    operands: '',
    help: 'Print the SQL that an administrator runs in a database for a team (PostgreSQL 15 or newer).',
    options: { to }
  },
  teamCheck: {
    words: ['team', 'check'],
    operands: '',
    help: 'Sign in to a team’s database and check whether it can be used. Asks for the password, or reads it from standard input. Changes nothing.',
    options: { ...address, role: { type: 'string', value: 'NAME', help: 'role to sign in with' }, ...json }
  },
  teamAccess: {
    words: ['team', 'access'],
    operands: '',
    help: 'Print the SQL with which the database’s administrator gives this installation access. Its password stays in the keychain; the SQL contains a hash of it.',
    options: {
      end: {
        type: 'string',
        value: 'INSTALLATION',
        help: 'print the SQL that ends the access of this installation instead: its ID, 32 hexadecimal digits, from “team members”'
      },
      to,
      ...json
    }
  },
  teamCreate: {
    words: ['team', 'create'],
    operands: '',
    help: 'Create a team in a prepared, empty database. This installation is its first supervisor. Nothing is shared before “team share”.',
    options: { ...address, name, ...json }
  },
  teamRecover: {
    words: ['team', 'recover'],
    operands: '',
    help: 'Become a supervisor with the recovery key of the team, when no supervisor is left. Asks for the key, or reads it from standard input. “team access” comes first.',
    options: {
      ...address,
      name,
      words: {
        type: 'string',
        value: 'WORDS',
        help: 'the team’s twelve words, which were kept with the key, in quotes'
      },
      ...json
    }
  },
  teamInvite: {
    words: ['team', 'invite'],
    operands: '',
    help: 'Write an invitation to this team, and print the team’s words. Read them to the recipient in person or by phone.',
    options: { to, ...json }
  },
  teamJoin: {
    words: ['team', 'join'],
    operands: 'INVITATION',
    help: 'Ask to join a team with its invitation: writes a request for a supervisor, and prints the request’s words.',
    options: {
      name,
      words: {
        type: 'string',
        value: 'WORDS',
        help: 'the team’s twelve words, which its sender read to you, in quotes'
      },
      to,
      ...json
    }
  },
  teamAdmit: {
    words: ['team', 'admit'],
    operands: 'REQUEST',
    help: 'Admit an installation that asked to join. Only for supervisors.',
    options: {
      words: {
        type: 'string',
        value: 'WORDS',
        help: 'the request’s twelve words, which its sender read to you, in quotes'
      },
      role,
      ...json
    }
  },
  teamMembers: { words: ['team', 'members'], operands: '', help: 'List the members of the team.', options: json },
  teamRole: {
    words: ['team', 'role'],
    operands: 'MEMBER',
    help: 'Give a member another role. Only for supervisors. MEMBER is a name, or the beginning of an installation ID.',
    options: { role, ...json }
  },
  teamRule: {
    words: ['team', 'rule'],
    operands: 'on|off',
    help: 'Two-person admission: while it is on, whoever becomes reviewer or supervisor, and switching it off, need a second supervisor. Only for supervisors.',
    options: json
  },
  teamConfirm: {
    words: ['team', 'confirm'],
    operands: 'ENTRY',
    help: 'Confirm what “team members” shows as waiting, as the second supervisor. ENTRY is the beginning of its ID.',
    options: {
      words: {
        type: 'string',
        value: 'WORDS',
        help: 'for an admission, the request’s twelve words, which the new member read to you; otherwise those that its supervisor read to you. In quotes'
      },
      ...json
    }
  },
  teamWithdraw: {
    words: ['team', 'withdraw'],
    operands: 'ENTRY',
    help: 'Withdraw what waits for a second supervisor. Only for supervisors.',
    options: json
  },
  teamRemove: {
    words: ['team', 'remove'],
    operands: 'MEMBER',
    help: 'Remove a member and give new keys to all others. Only for supervisors. Prints the SQL with which the database’s administrator ends its access.',
    options: {
      confirm: { type: 'string', value: 'NAME', help: 'the member’s name, because this cannot be undone' },
      to,
      ...json
    }
  },
  teamShare: {
    words: ['team', 'share'],
    operands: '[CONNECTION...]',
    help: 'Share with the team what is recorded with these connections, and keep all others here; without a name, all but the practice service. The first time, sharing begins.',
    options: json
  },
  teamExchange: {
    words: ['team', 'exchange'],
    operands: '',
    help: 'Send what is not shared yet, receive what colleagues shared, and show what has arrived from each member. An open window does this by itself.',
    options: { timeout: { type: 'string', value: 'SECONDS', help: 'end after this time (60)' }, ...json }
  },
  teamActivity: {
    words: ['team', 'activity'],
    operands: '',
    help: 'List what colleagues did, newest first, as far as it has arrived here.',
    options: {
      applicant: { type: 'string', value: 'ID', help: 'about this applicant alone' },
      limit: { type: 'string', value: 'N', help: 'at most N entries (50)' },
      ...json
    }
  },
  teamApprovals: {
    words: ['team', 'approvals'],
    operands: '',
    help: 'List requests for approval in the team, newest first, as far as they have arrived here: “team exchange” receives more.',
    options: {
      applicant: { type: 'string', value: 'ID', help: 'about this applicant alone' },
      limit: { type: 'string', value: 'N', help: 'at most N requests (50)' },
      ...json
    }
  },
  teamApprove: {
    words: ['team', 'approve'],
    operands: 'REQUEST',
    help: 'Answer a colleague’s request for approval, signed with your key. Look at the evidence first: “team activity --applicant ID”. REQUEST is from “team approvals”. “team exchange” sends the answer.',
    options: {
      countersign: { type: 'boolean', help: 'you have read it and countersign it' },
      return: { type: 'boolean', help: 'you have read it and return it: you do not agree' },
      note: { type: 'string', value: 'TEXT', help: 'your note' }
    }
  },
  teamBatches: {
    words: ['team', 'batches'],
    operands: '[ID]',
    help: 'List the batches that the team shares, or print how far one is, by installation.',
    options: { ...json }
  },
  teamOverview: {
    words: ['team', 'overview'],
    operands: '',
    help: 'Show the work of the team: by installation and person, what waits, decisions that differ, and erasures that are pending. Only for supervisors and auditors.',
    options: { days: { type: 'string', value: 'N', help: 'the work of the last N days (7)' }, ...json }
  },
  teamFindings: {
    words: ['team', 'findings'],
    operands: '',
    help: 'List what is wrong with the events of each installation, whether shared batches are on hold for it, and who acknowledged it. Shows what is known here; “team exchange” compares with the database.',
    options: json
  },
  teamAcknowledge: {
    words: ['team', 'acknowledge'],
    operands: 'INSTALLATION',
    help: 'Acknowledge a finding that was dealt with: it stays visible, and shared batches continue, after a loss once every member has exchanged data. Only for supervisors. INSTALLATION is an ID from “team findings”.',
    options: {
      finding: {
        type: 'string',
        value: teamFindingKinds.map(findingName).join('|'),
        help: 'which finding, from “team findings”'
      },
      reason: {
        type: 'string',
        value: 'TEXT',
        help: 'why, without personal data: it stays in the audit trail, and the team can read it'
      }
    }
  },
  teamFork: {
    words: ['team', 'fork'],
    operands: 'INSTALLATION',
    help: 'Write the evidence that an installation has signed two histories. INSTALLATION is an ID from “team exchange”.',
    options: { to }
  },
  teamVerifyFork: {
    words: ['team', 'verify-fork'],
    operands: 'FILE',
    help: 'Verify a file that “team fork” wrote. Needs neither a team nor its keys.',
    options: json
  },
  teamLeave: {
    words: ['team', 'leave'],
    operands: '',
    help: 'Delete the keys and the address of the team from this computer.',
    options: {
      confirm: {
        type: 'string',
        value: 'INSTALLATION',
        help: 'the ID of this installation, because this cannot be undone'
      }
    }
  }
} as const satisfies Record<string, Command>
