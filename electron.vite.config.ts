/**
 * Builds the product: main and its workers (ESM), the sandboxed preload (one CommonJS file) and the window; and the
 * preview.
 */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import { build, type Plugin } from 'vite'
import manifest from './package.json' with { type: 'json' }
import { recordBundled } from './scripts/build/record-bundled.ts'
import { writeVerifier } from './scripts/verifier.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// The "imports" of package.json, which point to source files, in the form that a bundler reads.
const alias = [
  { find: /^#contract\//, replacement: `${at('./contract')}/` },
  { find: /^#core\//, replacement: `${at('./electron/core')}/` },
  { find: /^#practice\//, replacement: `${at('./practice')}/` }
]

// The oldest runtime that the tests use; the product's own Electron is much newer than both.
const oldestNode = 'node20.18'
const oldestChrome = 'chrome130'

// Packages with binaries stay outside the bundle; the rest is bundled, since one file loads faster than hundreds.
const binary = ['keytar', 'better-sqlite3-multiple-ciphers', 'native-reg']
const bundled = Object.keys(manifest.dependencies).filter((name) => !binary.includes(name))

// No comments with the path of each module: the files must be the same wherever the packages are.
const anywhere = { experimental: { attachDebugInfo: 'none' } } as const

const workers = {
  'history-worker': at('./electron/store/worker/worker.ts'),
  'keychain-worker': at('./electron/keychain/worker.ts'),
  'team-worker': at('./electron/exchange/worker/worker.ts'),
  'workbook-worker': at('./electron/core/batches/reading/workbook-worker.ts')
}

/**
 * The preview host and the command line for plain Node, built with the product from the same sources into separate files;
 * never packaged. The installed command line is a part of main. And the stand-alone verifier, which is packaged.
 */
const builtBeside = (): Plugin => ({
  name: 'built-beside',
  async closeBundle() {
    writeVerifier()
    await build({
      configFile: false,
      logLevel: 'warn',
      resolve: { alias },
      publicDir: false,
      ssr: { noExternal: true, external: binary },
      build: {
        ssr: true,
        outDir: at('./out/preview'),
        emptyOutDir: true,
        rolldownOptions: {
          ...anywhere,
          input: { main: at('./electron/hosts/preview/main.ts'), cli: at('./electron/hosts/cli/main.ts'), ...workers },
          // All in one folder, so that paths relative to a file are the same for all of them.
          output: { chunkFileNames: '[name]-[hash].js' }
        }
      }
    })
  }
})

/** The most that the first page may load, in bytes by gzip: its script and the style sheet. */
const mostAtStart = 200_000
/** What no first page needs, and what its chunk would bring along. */
const notAtStart: readonly (readonly [RegExp, string])[] = [
  [/\/node_modules\/zod\/v4\/classic\//, "zod's schemas, which take a third of the start to evaluate"],
  [/\/contract\/failures\/later-sentences\.ts$/, 'the sentences of rare failures']
]

/** Fails a build whose first page would load too much. */
const lightStart = (): Plugin => ({
  name: 'light-start',
  generateBundle(_options, bundle) {
    const files = Object.values(bundle)
    const entry = files.find((file) => file.type === 'chunk' && file.isEntry)
    if (entry?.type !== 'chunk') return
    const found = notAtStart.find(([module]) => Object.keys(entry.modules).some((id) => module.test(id)))
    if (found) this.error(`The window's first script contains ${found[1]}. Import types or a smaller module instead.`)
    const style = files.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
    const texts = [entry.code, style?.type === 'asset' ? style.source : '']
    const size = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)
    if (size > mostAtStart) this.error(`The window's first page loads ${size} bytes; ${mostAtStart} is the most.`)
  }
})

export default defineConfig({
  main: {
    resolve: { alias },
    plugins: [builtBeside(), recordBundled(at('.'), 'main')],
    build: {
      target: oldestNode,
      externalizeDeps: { exclude: bundled },
      rolldownOptions: {
        ...anywhere,
        input: {
          'index': at('./electron/hosts/main/index.ts'),
          'sample-starter': at('./electron/hosts/main/sample-starter.ts'),
          ...workers
        },
        output: { chunkFileNames: '[name]-[hash].js' }
      }
    }
  },
  preload: {
    resolve: { alias },
    plugins: [recordBundled(at('.'), 'preload')],
    build: {
      target: oldestNode,
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('./electron/hosts/preload/index.ts') },
        // A sandboxed preload is CommonJS and can load nothing but electron.
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      }
    }
  },
  renderer: {
    root: at('./renderer'),
    base: './',
    resolve: { alias },
    plugins: [vue(), tailwindcss(), recordBundled(at('.'), 'window'), lightStart()],
    worker: {
      format: 'es',
      plugins: () => [recordBundled(at('.'), 'window-worker')],
      rolldownOptions: {
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/pdf/[name]-[hash].js'
        }
      }
    },
    define: { __VUE_OPTIONS_API__: 'false' },
    build: {
      target: oldestChrome,
      minify: true,
      // The policy allows no data: addresses and no inline scripts.
      assetsInlineLimit: 0,
      // One style sheet, since each view's own is only a few hundred bytes.
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: at('./renderer/index.html'),
        // One file for the first form and one for what views share: each additional file is another round trip to the
        // host.
        output: {
          codeSplitting: {
            groups: [
              { name: 'start', tags: ['$initial'], priority: 1 },
              { name: 'shared', minShareCount: 2 }
            ]
          }
        }
      }
    }
  }
})
