/** Addresses of the images that the gateway keeps with a session. */
import { ROOT } from '../platform/root';

export const imageAddress = (sessionId: string, id: string): string =>
  `${ROOT}api/v1/sessions/${encodeURIComponent(sessionId)}/images/${encodeURIComponent(id)}`;
