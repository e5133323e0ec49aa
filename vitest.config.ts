import { defineConfig } from 'vitest/config'

// The texts that tests expect are those of one locale, whatever the computer's is.
process.env['LC_ALL'] = 'en_US.UTF-8'

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // Pure functions: files that share a process are a third faster, since most of them import the same modules.
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 10_000, isolate: false }
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['tests/service/**/*.test.ts'],
          globalSetup: 'tests/service/support/build.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // One file at a time, unless a stage of the tests says otherwise for the files that measure no deadline.
          fileParallelism: false
        }
      }
    ],
    // A child process for each file of the service tests: native modules and workers do not share a fate.
    pool: 'forks',
    restoreMocks: true,
    passWithNoTests: false
  }
})
