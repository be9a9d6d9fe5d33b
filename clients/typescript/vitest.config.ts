// The client's tests: one catalog for all of them, started by test/setup.ts; run them with test/run.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/**/*.test.ts'], globalSetup: 'test/setup.ts', testTimeout: 30_000, hookTimeout: 120_000 },
});
