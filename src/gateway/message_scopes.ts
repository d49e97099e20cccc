/** The scope that each client message needs. The compiler demands a row for every message of protocol.ts. */
import type { NeededScope } from '../port/principal';
import type { ClientMessageType } from './protocol';

export const MESSAGE_SCOPES: Readonly<Record<ClientMessageType, Exclude<NeededScope, 'open'>>> = {
  chat: 'chat',
  subscribe: 'chat',
  clarify_response: 'chat',
  approval_response: 'approve',
  clarify_extend: ['chat', 'approve'],
  cancel: 'chat',
  steer: 'chat',
  set_thinking_level: 'chat',
  ping: 'any',
};
