/**
 * Import rules: renderer -> contract <- electron/{core,store,exchange} <- hosts. tests/unit/rules.test.ts shows with
 * forbidden imports that these rules can fail.
 */

/** npm packages that core may use. The list is closed, since each addition is a decision. */
const corePackages = [
  '@noble/hashes',
  '@scure/bip39',
  'asn1js',
  'axios',
  'better-sqlite3-multiple-ciphers',
  'csv-stringify',
  'iconv-lite',
  'keytar',
  'pg',
  'saxes',
  'socks',
  'yauzl',
  'zod'
]

const within = (path) => `^${path}`
const packageNamed = (...names) => `(?:^|/)node_modules/(?:${names.join('|')})/`
const product = within('(?:contract|electron|kit|renderer|practice)/')
/** The folders of electron/ that run in one thread each, and what they share. */
const behaviour = within('electron/(?:core|store|exchange|team|wire|keychain)/')
/** What makes sentences of failures: their tables by subject, and what fills them in. */
const sentences = [
  within('contract/failures/(?:declaration|filling|phrases|sentences|table)[.]ts$'),
  within('contract/[a-z-]+/[a-z-]*sentences[.]ts$'),
  within('contract/connections/diagnosis-(?:text|words)[.]ts$'),
  within('contract/history/record-facts[.]ts$')
]
const npm = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown']

/**
 * What each folder may import beside itself, by thread and layer. What one shows and the other finds is compared by the
 * same function, which is pure: therefore the window may read one file of kit.
 */
const layers = {
  'contract': [],
  'kit': [],
  'electron/wire': ['contract', 'kit'],
  'electron/team': ['contract', 'kit', 'electron/wire'],
  'electron/store': ['contract', 'kit', 'electron/wire', 'electron/team'],
  'electron/exchange': ['contract', 'kit', 'electron/wire', 'electron/team'],
  'electron/core': ['contract', 'kit', 'electron/wire', 'electron/team'],
  'electron/keychain': ['contract', 'kit', 'electron/wire'],
  'electron/hosts': ['contract', 'kit', 'electron', 'practice'],
  'practice': ['contract', 'kit'],
  'renderer': ['contract', 'kit/text/folding[.]ts$']
}
const folders = within('(?:contract|kit|electron|practice|renderer|scripts|tests|verifier)/')

module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([folder, others]) => ({
      name: `imports-of-${folder.replace('/', '-')}`,
      comment: `${folder}/ may import itself and what the table of layers names.`,
      severity: 'error',
      from: { path: within(`${folder}/`) },
      to: { path: folders, pathNot: [folder, ...others].map((each) => within(each.endsWith('$') ? each : `${each}/`)) }
    })),
    {
      name: 'contract-is-pure',
      comment: 'The contract is read by every folder, so it may know zod and no other package.',
      severity: 'error',
      from: { path: within('contract/') },
      to: { dependencyTypes: ['core', ...npm], pathNot: packageNamed('zod') }
    },
    {
      name: 'no-cycles',
      comment: 'A cycle, even of types, means that neither file can be read or tested alone.',
      severity: 'error',
      from: {},
      to: { circular: true }
    },
    {
      name: 'no-cycles-of-folders',
      comment: 'The folders form layers, types included: who reads one never has to read the one above it.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(?:electron|kit)' },
      to: { circular: true, path: '^(?:electron|kit)' }
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere is a mistake.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true }
    },
    {
      name: 'core-carries-failures-as-data',
      comment:
        'Sentences are made where a failure is shown. Behind the window that is only where a text for people is written into a ' +
        'file, exports and results, and in the audit trail, whose sentences a search looks through.',
      severity: 'error',
      from: {
        path: behaviour,
        pathNot: [
          'core/exports/authority',
          'core/exports/texts',
          'core/exports/lists',
          'core/exports/rows',
          'core/batches/results',
          'core/batches/invalid-rows',
          'core/diagnosis/diagnoses',
          'core/evidence/page',
          'store/audit/audit',
          'store/audit/audit-filter'
        ].map((name) => within(`electron/${name}[.]ts$`))
      },
      to: { path: sentences }
    },
    {
      name: 'failures-know-their-sentences-as-types',
      comment: 'Failures are made from codes and details: what makes one must not bring the tables of sentences along.',
      severity: 'error',
      from: { path: within('contract/'), pathNot: sentences },
      to: { path: sentences, dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'renderer-knows-channels-as-types',
      comment:
        'Schemas of requests belong to core: the window would load all of them, and their library, for a constant.',
      severity: 'error',
      from: { path: within('renderer/') },
      to: {
        path: within('contract/[^/]+/channels\\.ts$|contract/ipc/(?:ipc|channel)\\.ts$'),
        dependencyTypesNot: ['type-only']
      }
    },
    {
      name: 'renderer-has-no-node',
      comment: 'The window is sandboxed: no module of Node exists there.',
      severity: 'error',
      from: { path: within('renderer/') },
      to: { dependencyTypes: ['core'] }
    },
    {
      name: 'core-uses-listed-packages',
      comment: 'Add a package to the list at the head of this file when the decision is made, not by the way.',
      severity: 'error',
      from: { path: [behaviour, within('kit/')] },
      to: { dependencyTypes: npm, pathNot: [packageNamed(...corePackages), packageNamed('electron')] }
    },
    {
      name: 'hosts-stand-alone',
      comment:
        'Electron, preview and command line are three hosts of one core; none borrows from another. ' +
        'Shared are two files: how the window’s methods are made from the contract’s list, and the command line itself, ' +
        'which Electron’s program runs when it is started for it.',
      severity: 'error',
      from: { path: within('electron/hosts/(main|preload|preview|cli)/') },
      to: {
        path: within('electron/hosts/(?:main|preload|preview|cli)/'),
        pathNot: [
          within('electron/hosts/$1/'),
          within('electron/hosts/preload/bridge\\.ts$'),
          within('electron/hosts/cli/(?:run|exit)\\.ts$')
        ]
      }
    },
    {
      name: 'electron-in-its-host-only',
      comment: 'Only main and preload know Electron, so that the core runs and is tested without it.',
      severity: 'error',
      from: { path: product, pathNot: within('electron/hosts/(?:main|preload)/') },
      to: { path: packageNamed('electron') }
    },
    {
      name: 'preload-without-schemas',
      comment:
        'The sandboxed preload is one small file: it knows the channels by the generated list of their names alone.',
      severity: 'error',
      from: { path: within('electron/hosts/preload/') },
      to: { path: packageNamed('zod'), reachable: true }
    },
    {
      name: 'sqlite-in-the-history',
      comment: 'The threads with a database alone touch its file, through the one place that opens it.',
      severity: 'error',
      from: { path: product, pathNot: [within('electron/store/'), within('electron/wire/sqlite/')] },
      to: { path: packageNamed('better-sqlite3-multiple-ciphers') }
    },
    {
      name: 'postgresql-in-the-transport',
      comment: 'One place that can reach a team’s database, with all its limits.',
      severity: 'error',
      from: { path: product, pathNot: within('electron/team/transport/') },
      to: { path: packageNamed('pg') }
    },
    {
      name: 'keytar-in-one-file',
      comment: 'One place through which secrets enter and leave the keychain.',
      severity: 'error',
      from: { path: product },
      module: { path: packageNamed('keytar'), numberOfDependentsMoreThan: 1 }
    },
    {
      name: 'axios-in-one-file',
      comment: 'One place that can send a request, with all its limits.',
      severity: 'error',
      from: { path: product },
      module: { path: packageNamed('axios'), numberOfDependentsMoreThan: 1 }
    }
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Type imports count too: they also make one folder depend on another.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.mts', '.mjs', '.cjs', '.js', '.vue', '.json', '.d.ts'],
      mainFields: ['module', 'main', 'types']
    },
    skipAnalysisNotInRules: true
  }
}
