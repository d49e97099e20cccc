/** Addresses of the images and files that the gateway keeps with a session. */
import { ROOT } from '../platform/root';

const addressOf = (sessionId: string, kind: 'images' | 'files', id: string): string =>
  `${ROOT}api/v1/sessions/${encodeURIComponent(sessionId)}/${kind}/${encodeURIComponent(id)}`;

export const imageAddress = (sessionId: string, id: string): string => addressOf(sessionId, 'images', id);
export const fileAddress = (sessionId: string, id: string): string => addressOf(sessionId, 'files', id);
