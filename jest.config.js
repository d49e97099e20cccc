/** Tests run the TypeScript sources through swc; `npm test` builds first, so child processes and pages run from dist. */
const { availableParallelism } = require('node:os');

const commonJs = { target: 'es2022' };

module.exports = {
  // Most suites wait for processes and timers for a third of their time, so one more than there are cores ends sooner.
  maxWorkers: availableParallelism() + 1,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/before_all_files.ts',
  globalTeardown: '<rootDir>/test/support/after_all_files.ts',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          ...commonJs,
          parser: { syntax: 'typescript', tsx: false, decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
    '^.+\\.tsx$': [
      '@swc/jest',
      {
        jsc: {
          ...commonJs,
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
        },
        module: { type: 'commonjs' },
      },
    ],
    // These are ES modules, which jest does not load by itself.
    'node_modules/(kysely|modern-tar|@agentclientprotocol)/.+\\.js$': [
      '@swc/jest',
      { jsc: { ...commonJs, parser: { syntax: 'ecmascript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!(kysely|modern-tar|@agentclientprotocol)/)'],
  // Long: a test that hangs is rare, and a loaded machine needs 20 seconds for what takes one elsewhere.
  testTimeout: 60_000,
};
