/** The start flags that an installed window takes; it refuses all others, among them those that would open it to others. */

/** docs/administration.md lists the same flags. */
export const takenFlags: readonly RegExp[] = [
  /^--sample$/,
  /^--lang=[a-z-]+$/i,
  /^--force-device-scale-factor=\d+(?:\.\d+)?$/,
  /^--ozone-platform(?:-hint)?=(?:wayland|x11|auto)$/,
  /^--enable-wayland-ime$/,
  /^--wayland-text-input-version=\d$/,
  /^--force-renderer-accessibility$/,
  /^--disable-gpu$/,
  // The Finder's, on older systems.
  /^-psn_\d+_\d+$/
]

/** The start arguments that Chromium reads as flags, but a window does not take. It reads none after “--”. */
export function refusedFlags(args: readonly string[], platform: NodeJS.Platform = process.platform): string[] {
  const end = args.indexOf('--')
  // Chromium accepts one dash as well as two, and on Windows a slash.
  const isFlag = (argument: string): boolean => (platform === 'win32' ? /^[-/]/ : /^-/).test(argument) && argument !== '-'
  return args.slice(0, end === -1 ? args.length : end).filter((argument) => isFlag(argument) && !takenFlags.some((taken) => taken.test(argument)))
}

/** The name under which Chromium knows a flag. */
export const switchOf = (argument: string): string => argument.replace(/^(?:--?|\/)/, '').replace(/=[^]*$/, '').toLowerCase()
