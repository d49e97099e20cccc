import { ROOT } from '../platform/root';

/** Address of this gateway as the browser reaches it, without a slash at the end. */
export const GATEWAY_URL = new URL(ROOT, location.href).href.replace(/\/$/, '');
