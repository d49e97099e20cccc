/** Runs once before all test files. */
import { probeSandboxes } from './probe_sandboxes';
import { offerBrowser } from './shared_browser';
import { offerGateways } from './shared_gateway';

export default async function beforeAllFiles(): Promise<void> {
  await Promise.all([probeSandboxes(), offerBrowser(), offerGateways()]);
}
