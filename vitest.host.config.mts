import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/host/**/*.host.test.ts'],
    globalSetup: ['test/host/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    sequence: { concurrent: false },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
  },
});
