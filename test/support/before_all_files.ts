/** Runs once before all test files. */
import { probeSandboxes } from './probe_sandboxes';
import { setProxyVariables } from './proxy_environment';
import { offerBrowser } from './shared_browser';
import { offerGateways } from './shared_gateway';

export default async function beforeAllFiles(): Promise<void> {
  // Tests and the processes that they start meet no proxy of the machine; a test that needs a proxy starts its own.
  setProxyVariables({});
  await Promise.all([probeSandboxes(), offerBrowser(), offerGateways()]);
}
