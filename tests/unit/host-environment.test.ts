/** Which variables of the environment a start keeps. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  keepUsedVariables,
  proxyVariables,
  refusedVariable,
  refusedVariables,
  usedVariables,
  type EnvironmentOf
} from '../../electron/hosts/node/environment.ts'

const kept = (names: readonly string[], of: EnvironmentOf): string[] => {
  const environment = Object.fromEntries(names.map((name) => [name, 'x']))
  keepUsedVariables(environment, of)
  return Object.keys(environment)
}
const installed = { installed: true, proxies: false, platform: 'linux' } as const

describe('an installed program', () => {
  it('keeps folders, session, display, language and zone', () => {
    const names = [
      'HOME',
      'PATH',
      'XDG_CONFIG_HOME',
      'XDG_RUNTIME_DIR',
      'DBUS_SESSION_BUS_ADDRESS',
      'DISPLAY',
      'WAYLAND_DISPLAY',
      'LANG',
      'LC_ALL',
      'TZ',
      'GTK_IM_MODULE',
      'XMODIFIERS'
    ]
    expect(kept(names, installed)).toEqual(names)
  })

  it.each([
    'SSLKEYLOGFILE',
    'ELECTRON_LOG_FILE',
    'ELECTRON_ENABLE_LOGGING',
    'ELECTRON_RUN_AS_NODE',
    'NODE_OPTIONS',
    'NODE_EXTRA_CA_CERTS',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'NODE_USE_ENV_PROXY',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'OPENSSL_CONF',
    'VERIDESK_DATA',
    'VERIDESK_BROWSER',
    'VERIDESK_HISTORY_NODE',
    'VERIDESK_TEST_ATTACH',
    'PGHOST',
    'PGPASSWORD',
    'PGSSLMODE',
    'DEBUG',
    'GTK_MODULES',
    'GIO_EXTRA_MODULES',
    'LD_PRELOAD',
    'CHROME_LOG_FILE',
    'HTTPS_PROXY',
    'all_proxy',
    'XDGX',
    'home',
    'LCX',
    'UNHEARD_OF'
  ])('loses %s', (name) => {
    expect(kept(['HOME', name], installed)).toEqual(['HOME'])
  })

  it('keeps proxies where the host cannot ask the system, in either case of letters', () => {
    const names = [...proxyVariables, ...proxyVariables.map((name) => name.toLowerCase())]
    expect(kept([...names, 'FTP_PROXY'], { ...installed, proxies: true })).toEqual(names)
  })

  it('knows Windows’ own variables in any case', () => {
    expect(
      kept(['Path', 'SystemRoot', 'ProgramFiles(x86)', 'AppData', 'PROCESSOR_LEVEL', 'SslKeyLogFile'], {
        ...installed,
        platform: 'win32'
      })
    ).toEqual(['Path', 'SystemRoot', 'ProgramFiles(x86)', 'AppData', 'PROCESSOR_LEVEL'])
  })

  it.each(refusedVariables)('does not start with %s, which the runtime has read by then', (name) => {
    const environment: NodeJS.ProcessEnv = { HOME: '/home/a', [name]: '1' }
    expect(keepUsedVariables(environment, installed)).toBe(name)
    expect(environment).toEqual({ HOME: '/home/a' })
    expect(refusedVariable(name)).toContain(`while the environment variable ${name} is set`)
    expect(keepUsedVariables({ [name]: '' }, installed)).toBeUndefined()
  })
})

it('a program that is not installed keeps the variables of tests and developers as well, and refuses the same', () => {
  expect(
    kept(['VERIDESK_DATA', 'NODE_OPTIONS', 'ELECTRON_OVERRIDE_DIST_PATH', 'SSLKEYLOGFILE'], {
      ...installed,
      installed: false
    })
  ).toEqual(['VERIDESK_DATA', 'NODE_OPTIONS', 'ELECTRON_OVERRIDE_DIST_PATH'])
  expect(keepUsedVariables({ NODE_DEBUG: 'http' }, { installed: false, proxies: true })).toBe('NODE_DEBUG')
})

it('the administration guide names all of them', () => {
  const guide = readFileSync(join(resolve(import.meta.dirname, '..', '..'), 'docs', 'administration.md'), 'utf8')
  const names = [...Object.values(usedVariables).flat(), ...proxyVariables, ...refusedVariables]
  expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})
