// The stories run one after the other: they share one stack, and the machine one browser.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['stories/*.test.ts'], globalSetup: 'setup.ts', fileParallelism: false, testTimeout: 90_000, hookTimeout: 60_000,
    // what a page shows comes when it comes: a story waits for it as long as for anything it clicks
    expect: { poll: { timeout: 30_000 } },
  },
});
