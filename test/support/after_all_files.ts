/** Runs once after all test files. */
import { closeBrowser } from './shared_browser';

export default closeBrowser;
