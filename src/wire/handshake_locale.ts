/** The language of refusals over Socket.IO. */
import type { Locale } from '../port/store/sessions';

/** Returns the language of a handshake, English when it names none; the handshake may itself be what is refused. */
export const handshakeLocale = ({ handshake }: { handshake: { auth: Record<string, unknown> } }): Locale =>
  handshake.auth['locale'] === 'zh-CN' ? 'zh-CN' : 'en';
