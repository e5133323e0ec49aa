/**
 * The variables of the environment that a start uses: those listed here. All others are removed before anything reads
 * them, so that neither the runtime nor a process that it starts sees them. Without imports: it runs first.
 */

/** What a person, a desktop or an operating system sets; docs/administration.md lists the same names. */
export const usedVariables = {
  'the account': ['HOME', 'USER', 'LOGNAME', 'USERNAME', 'SHELL', 'PATH', 'PWD', 'TMPDIR', 'TEMP', 'TMP'],
  // An absolute XDG_CONFIG_HOME names the folder that has the data folder.
  'folders and session, by freedesktop.org': [
    'XDG_*',
    'DBUS_SESSION_BUS_ADDRESS',
    'GNOME_KEYRING_CONTROL',
    'SESSION_MANAGER',
    'DESKTOP_SESSION',
    'GNOME_DESKTOP_SESSION_ID',
    'KDE_FULL_SESSION',
    'KDE_SESSION_VERSION',
    'ORIGINAL_XDG_CURRENT_DESKTOP'
  ],
  // Electron sets CHROME_DESKTOP itself, before any line of an application.
  'the display': [
    'DISPLAY',
    'XAUTHORITY',
    'WAYLAND_DISPLAY',
    'WAYLAND_SOCKET',
    'DESKTOP_STARTUP_ID',
    'CHROME_DESKTOP',
    'GDK_BACKEND',
    'GDK_SCALE',
    'GDK_DPI_SCALE',
    'GTK_THEME',
    'XCURSOR_THEME',
    'XCURSOR_SIZE'
  ],
  'input methods and assistive technology': [
    'GTK_IM_MODULE',
    'QT_IM_MODULE',
    'XMODIFIERS',
    'AT_SPI_BUS_ADDRESS',
    'NO_AT_BRIDGE',
    'GTK_A11Y',
    'ACCESSIBILITY_ENABLED',
    'GNOME_ACCESSIBILITY'
  ],
  'language, formats and time zone': ['LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TZDIR'],
  'the terminal': ['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'LINES'],
  'an AppImage’s own start, and the launcher of the command line': ['APPIMAGE', 'APPDIR', 'MALLOC_ARENA_MAX'],
  'macOS': [
    '__CF_USER_TEXT_ENCODING',
    '__CFBundleIdentifier',
    'SECURITYSESSIONID',
    'XPC_FLAGS',
    'XPC_SERVICE_NAME',
    'COMMAND_MODE'
  ],
  'Windows': [
    'ALLUSERSPROFILE',
    'APPDATA',
    'COMMONPROGRAMFILES',
    'COMMONPROGRAMFILES(X86)',
    'COMMONPROGRAMW6432',
    'COMPUTERNAME',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'LOGONSERVER',
    'NUMBER_OF_PROCESSORS',
    'ONEDRIVE',
    'ONEDRIVECOMMERCIAL',
    'ONEDRIVECONSUMER',
    'OS',
    'PATHEXT',
    'PROCESSOR_*',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'PROGRAMW6432',
    'PUBLIC',
    'SESSIONNAME',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'USERDNSDOMAIN',
    'USERDOMAIN',
    'USERDOMAIN_ROAMINGPROFILE',
    'USERPROFILE',
    'WINDIR'
  ]
} as const

/** For the hosts that cannot ask the system for its proxy; in either case of letters. */
export const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'] as const

/** Of tests and developers: never in an installed program. */
const developmentVariables = [
  'VERIDESK_*',
  'ELECTRON_OVERRIDE_DIST_PATH',
  'ELECTRON_ENABLE_LOGGING',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'LD_PRELOAD',
  'FAKETIME*'
] as const

/**
 * What the runtime has read before the first line of Veridesk and does not forget when it is removed: a start with one of
 * them ends. Tried with Node 24 and Electron 33: the others of Node, Electron and Chromium have no effect once removed here.
 */
export const refusedVariables = [
  'NODE_DEBUG',
  'NODE_DEBUG_NATIVE',
  'NODE_REDIRECT_WARNINGS',
  'NODE_V8_COVERAGE',
  'ELECTRON_DISABLE_SANDBOX',
  'CHROME_DEVEL_SANDBOX'
] as const
export type RefusedVariable = (typeof refusedVariables)[number]

export interface EnvironmentOf {
  /** Whether the program is installed: then nothing of tests and developers counts. */
  readonly installed: boolean
  /** Whether the host takes proxies from the environment. */
  readonly proxies: boolean
  readonly platform?: NodeJS.Platform
}

const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern

/**
 * Removes every variable that a start does not use.
 *
 * @returns One that has acted already, so that the start must end (`refusedVariable`); undefined if there is none.
 */
export function keepUsedVariables(
  environment: NodeJS.ProcessEnv,
  { installed, proxies, platform = process.platform }: EnvironmentOf
): RefusedVariable | undefined {
  const used: readonly string[] = [...Object.values(usedVariables).flat(), ...(installed ? [] : developmentVariables)]
  const isUsed = (name: string): boolean => {
    // Windows knows each by any case.
    const known = platform === 'win32' ? name.toUpperCase() : name
    return (
      used.some((pattern) => matches(known, pattern)) ||
      (proxies && (proxyVariables as readonly string[]).includes(name.toUpperCase()))
    )
  }
  const refused = refusedVariables.find((name) => environment[name])
  for (const name of Object.keys(environment)) if (!isUsed(name)) delete environment[name]
  return refused
}

/** What a person is told: what happened, its effect, the next step. */
export const refusedVariable = (name: RefusedVariable): string =>
  `Veridesk does not start while the environment variable ${name} is set: it can reveal what is sent, or takes protection away. Nothing was sent. Remove the variable, then start again.`
