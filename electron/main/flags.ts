/** Start flags that would give others access to the application; refused when installed. */

// Prefixes: each also covers its variants (--inspect-brk, --proxy-server, --proxy-pac-url, ...).
const hostilePrefixes = [
  'remote-debugging', 'remote-allow-origins', 'inspect', 'js-flags', 'proxy-', 'no-proxy-server', 'host-rules', 'host-resolver-rules',
  'ignore-certificate-errors', 'allow-insecure', 'allow-running-insecure-content', 'unsafely-treat-insecure-origin-as-secure',
  'disable-web-security', 'disable-site-isolation', 'no-sandbox', 'disable-setuid-sandbox', 'disable-gpu-sandbox',
  'disable-seccomp-filter-sandbox', 'load-extension', 'disable-extensions-except', 'user-data-dir', 'enable-logging', 'log-file',
  'log-net-log', 'ssl-key-log-file', 'renderer-cmd-prefix', 'utility-cmd-prefix', 'gpu-launcher', 'ppapi', 'single-process',
  'in-process-gpu', 'test-type', 'auth-server-allowlist', 'enable-features', 'disable-features', 'enable-blink-features',
  'explicitly-allowed-ports', 'use-fake-ui-for-media-stream', 'auto-select', 'enable-automation', 'headless', 'require', 'eval'
]

/** The first hostile flag among the start arguments, or undefined. */
export function hostileFlag(args: readonly string[]): string | undefined {
  return args.find((argument) => {
    // Chromium accepts one dash as well as two, on Windows also a slash, and any case.
    const name = /^(?:--?|\/)([a-z][a-z0-9-]*)/i.exec(argument)?.[1]?.toLowerCase()
    return name !== undefined && hostilePrefixes.some((prefix) => name.startsWith(prefix))
  })
}
