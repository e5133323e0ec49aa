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
  const isFlag = (argument: string): boolean =>
    (platform === 'win32' ? /^[-/]/ : /^-/).test(argument) && argument !== '-'
  return args
    .slice(0, end === -1 ? args.length : end)
    .filter((argument) => isFlag(argument) && !takenFlags.some((taken) => taken.test(argument)))
}

/** The name under which Chromium knows a flag. */
export const switchOf = (argument: string): string =>
  argument
    .replace(/^(?:--?|\/)/, '')
    .replace(/=[^]*$/, '')
    .toLowerCase()

/**
 * What a person is told: what happened, its effect, the next step.
 *
 * @param inAppImage Whether the program is in an AppImage, whose own start adds a flag where the system lets nobody have a sandbox.
 */
export const refusedFlag = (flag: string, inAppImage: boolean): string =>
  inAppImage && flag === '--no-sandbox'
    ? 'Veridesk does not start from an AppImage here: this system restricts user namespaces, so the window would have no sandbox. Install the deb or rpm package instead.'
    : `Veridesk does not start with ${flag}: it takes only the start flags that its administration guide lists, because others would open the console to other programs. Start it without.`
