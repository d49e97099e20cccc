/** The language of refusals over Socket.IO. */
import type { Locale } from '../port/store/sessions';

/** Returns the language of a handshake; English when it names none. Reads leniently, because the handshake itself may be refused. */
export const handshakeLocale = ({ handshake }: { handshake: { auth: Record<string, unknown> } }): Locale =>
  handshake.auth['locale'] === 'zh-CN' ? 'zh-CN' : 'en';
