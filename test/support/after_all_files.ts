/** Runs once after all test files. */
import { closeBrowser } from './shared_browser';
import { closeGateways } from './shared_gateway';

export default async function afterAllFiles(): Promise<void> {
  await Promise.all([closeBrowser(), closeGateways()]);
}
