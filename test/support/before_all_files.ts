/** Runs once before all test files. */
import { probeSandboxes } from './probe_sandboxes';
import { offerBrowser } from './shared_browser';

export default async function beforeAllFiles(): Promise<void> {
  await Promise.all([probeSandboxes(), offerBrowser()]);
}
