import { toStartRequest } from '../../src/gateway/chat_request';
import { interactionOf, readHandshake, toSocketPrincipal } from '../../src/gateway/handshake';
import { LOCAL_PRINCIPAL } from '../../src/port/principal';

const CLARIFY = { timeoutMs: 20_000, declaredTimeoutMs: 300_000, textTimeoutMs: 86_400_000 };

function startRequest(message: Record<string, unknown>, auth: Record<string, unknown> = {}) {
  const principal = toSocketPrincipal(readHandshake(auth), LOCAL_PRINCIPAL);
  const client = { principal, connectionId: 'con-1', interaction: interactionOf(principal, CLARIFY) };
  return toStartRequest({ type: 'chat', text: 'hello', ...message }, client);
}

describe('the start request of a chat message', () => {
  it.each([
    ['its session', { sessionId: 'ses_1' }, { clientId: 'page-1' }, 'chat:session:ses_1:m-1'],
    ['its client without a session', {}, { clientId: 'page-1' }, 'chat:client:page-1:m-1'],
    ['its connection without session and client id', {}, {}, 'chat:connection:con-1:m-1'],
  ])('has an idempotency key that is unique within %s', (_scope, message, auth, key) => {
    expect(startRequest({ clientMessageId: 'm-1', ...message }, auth).idempotency).toMatchObject({ key, formerKey: 'chat:m-1' });
  });

  it('takes the locale of the page for a new session only', () => {
    const locales = [{}, { sessionId: 'ses_1' }, { sessionId: 'ses_1', locale: 'en' }].map(
      message => startRequest(message, { locale: 'zh-CN' }).locale,
    );
    expect(locales).toEqual(['zh-CN', undefined, 'en']);
  });

  it('lets the run ask as the capabilities of the client allow', () => {
    expect(startRequest({}).interaction).toEqual({ clarify: 'wait', clarifyTimeoutMs: 20_000 });
    const { interaction } = startRequest({}, { capabilities: ['clarify@1', 'approval@1'] });
    expect(interaction).toEqual({ clarify: 'wait', clarifyTimeoutMs: 300_000, approvals: 'wait' });
  });
});
